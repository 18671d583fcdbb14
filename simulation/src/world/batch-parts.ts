type Input = Readonly<Record<string, unknown>>
type Tables = Readonly<Record<string, object>>

/** A request of several items, and how the answers to its parts are one answer. */
export interface BatchParts {
  readonly parts: readonly object[]
  join(outputs: readonly Input[]): Record<string, unknown>
}

/**
 * A batch, item by item: the service reads and writes each of them by itself, at different moments.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html,
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
 *
 * @returns `undefined` for a request that has no parts
 */
export function batchParts(operation: string, input: object): BatchParts | undefined {
  if (operation !== 'BatchGetItem' && operation !== 'BatchWriteItem') return undefined
  const { RequestItems = {}, ...rest } = input as { readonly RequestItems?: Tables }
  const tables = Object.entries(RequestItems)
  const only = (table: string, members: object) => ({ ...rest, RequestItems: { [table]: members } })
  if (operation === 'BatchGetItem') {
    const parts = tables.flatMap(([table, asked]) => {
      const { Keys, ...how } = asked as { readonly Keys: readonly object[] }
      return Keys.map((key) => only(table, { ...how, Keys: [key] }))
    })
    return parts.length < 2 ? undefined : { parts, join: joinReads }
  }
  const parts = tables.flatMap(([table, members]) =>
    (members as readonly object[]).map((member) => only(table, [member])),
  )
  return parts.length < 2 ? undefined : { parts, join: joinWrites }
}

/** What a part that was refused for want of capacity leaves of the whole. */
export function unprocessedPart(operation: string, part: object): Input {
  const { RequestItems } = part as { readonly RequestItems: Tables }
  return operation === 'BatchGetItem'
    ? { Responses: {}, UnprocessedKeys: RequestItems }
    : { UnprocessedItems: RequestItems }
}

function joinReads(outputs: readonly Input[]): Record<string, unknown> {
  const Responses: Record<string, unknown[]> = {}
  const UnprocessedKeys: Record<string, { readonly Keys: readonly object[] }> = {}
  for (const output of outputs) {
    for (const [table, items] of Object.entries((output.Responses ?? {}) as Tables)) {
      Responses[table] = [...(Responses[table] ?? []), ...(items as readonly unknown[])]
    }
    for (const [table, left] of Object.entries((output.UnprocessedKeys ?? {}) as Tables)) {
      const { Keys, ...how } = left as { readonly Keys: readonly object[] }
      UnprocessedKeys[table] = { ...how, Keys: [...(UnprocessedKeys[table]?.Keys ?? []), ...Keys] }
    }
  }
  return { Responses, UnprocessedKeys }
}

function joinWrites(outputs: readonly Input[]): Record<string, unknown> {
  const UnprocessedItems: Record<string, unknown[]> = {}
  for (const output of outputs) {
    for (const [table, left] of Object.entries((output.UnprocessedItems ?? {}) as Tables)) {
      UnprocessedItems[table] = [...(UnprocessedItems[table] ?? []), ...(left as readonly unknown[])]
    }
  }
  return { UnprocessedItems }
}
