import type { AttributeValue, ScanCommandInput } from '@aws-sdk/client-dynamodb'
import type { Random } from '@isotherm/runtime'
import type { MoveSender } from '../attempts/move-sender.js'

/** Small pages, so that a sample comes from many places of the table. */
const PAGE_ITEMS = 25
/** The number of items that the service reports is up to six hours old, so a new table may seem to be empty. */
const MIN_SEGMENTS = 16
const MAX_SEGMENTS = 1_000

interface Segment {
  readonly Segment: number
  readonly ExclusiveStartKey: Record<string, AttributeValue> | undefined
}

/**
 * Yields pages of items from random places of a table, no faster than the pace, until all items were read. The first pages
 * are from different segments of a parallel scan.
 * @throws the SDK's errors
 */
export async function* sampledItems(
  sender: MoveSender,
  random: Random,
  { ofAbout, ...input }: ScanCommandInput & { readonly ofAbout: number },
): AsyncGenerator<readonly Record<string, AttributeValue>[]> {
  const TotalSegments = Math.min(MAX_SEGMENTS, Math.max(MIN_SEGMENTS, Math.ceil(ofAbout / PAGE_ITEMS)))
  let open: Segment[] = Array.from({ length: TotalSegments }, (_, segment) => ({
    Segment: segment,
    ExclusiveStartKey: undefined,
  }))
  while (open.length > 0) {
    const unfinished: Segment[] = []
    for (const segment of shuffled(open, random)) {
      const page = { ...input, ...segment, TotalSegments, Limit: PAGE_ITEMS }
      const { Items = [], LastEvaluatedKey } = await sender.scanPage(page)
      yield Items
      if (LastEvaluatedKey !== undefined) unfinished.push({ ...segment, ExclusiveStartKey: LastEvaluatedKey })
    }
    open = unfinished
  }
}

function shuffled<T>(values: readonly T[], random: Random): readonly T[] {
  return values
    .map((value) => ({ value, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value)
}
