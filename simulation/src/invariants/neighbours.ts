import { Violation } from '../world/violation.js'

/**
 * A key that hardly anybody has written to until now gets no more shards than it began with.
 * @throws Violation
 */
export function checkNeighbour(
  workload: { neighbours(): readonly string[] },
  key: string,
  shards: number,
  initialShards: number,
): void {
  if (shards <= initialShards || !workload.neighbours().includes(key)) return
  const seen = `${key} gets ${shards} shards and began with ${initialShards}`
  throw new Violation('neighbours do not scale', seen, [key])
}
