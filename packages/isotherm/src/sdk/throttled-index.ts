/** One entry of an error's throttling reasons. */
interface Entry {
  readonly reason?: unknown
  /** The ARN of the table, or of its index. */
  readonly resource?: unknown
}

interface ErrorWithReasons extends Error {
  readonly ThrottlingReasons?: unknown
  readonly throttlingReasons?: unknown
}

const HOT_PARTITION = 'IndexWriteKeyRangeThroughputExceeded'

/**
 * The part that an index had in the throttling of a write to its table.
 *
 * - `partition`: a partition of the index is full, so more shards of the hot key help.
 * - `index`: the index as a whole is full, so they do not.
 *
 * @returns `undefined` if the reasons do not include the index, or if there are none
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/gsi-throttling.html
 */
export function throttleByIndex(error: Error, index: string): 'partition' | 'index' | undefined {
  const { ThrottlingReasons, throttlingReasons } = error as ErrorWithReasons
  const listed = ThrottlingReasons ?? throttlingReasons
  const entries: readonly (Entry | undefined)[] = Array.isArray(listed) ? listed : []
  let part: 'partition' | 'index' | undefined
  for (const { reason, resource } of entries.filter((entry) => entry !== undefined)) {
    if (typeof reason !== 'string' || !reason.startsWith('IndexWrite') || !isOf(index, resource)) continue
    if (reason !== HOT_PARTITION) return 'index'
    part = 'partition'
  }
  return part
}

/** Without a resource, the reason may be of any index. */
function isOf(index: string, resource: unknown): boolean {
  return typeof resource !== 'string' || resource.endsWith(`/index/${index}`)
}
