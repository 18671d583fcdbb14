/** The memory in use after a collection of garbage: of objects, and of buffers beside the heap. */
export function usedBytes(): number {
  if (globalThis.gc === undefined) throw new Error('Start Node with --expose-gc.')
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
