import type {
  AttributeValue,
  BatchGetItemCommandOutput,
  BatchWriteItemCommandOutput,
  CancellationReason,
  TransactGetItem,
  TransactWriteItem,
} from '@aws-sdk/client-dynamodb'
import type { IndexedTables } from './indexed-table.js'

type Attributes = Record<string, AttributeValue>

/** The members with items in the responses of all commands. */
interface Answer {
  readonly Attributes?: Attributes
  readonly Item?: Attributes
  readonly Items?: readonly Attributes[]
  readonly Responses?: BatchGetItemCommandOutput['Responses'] | readonly { readonly Item?: Attributes }[]
  readonly UnprocessedItems?: BatchWriteItemCommandOutput['UnprocessedItems']
}

interface Asked {
  readonly TableName?: string
  readonly TransactItems?: readonly (TransactGetItem | TransactWriteItem)[]
}

/** Removes the shadow keys from the items in a response. */
export function answerWithoutShadowKeys<Output extends object>(
  tables: IndexedTables,
  input: object,
  output: Output,
): Output {
  const asked: Asked = input
  const answer: Answer = output
  const shown = (name: unknown, item: Attributes) => tables.of(name)?.withoutShadowKeys(item) ?? item
  const changes: Record<string, unknown> = {}
  if (answer.Attributes !== undefined) {
    const left = shown(asked.TableName, answer.Attributes)
    changes.Attributes = Object.keys(left).length === 0 ? undefined : left
  }
  if (answer.Item !== undefined) changes.Item = shown(asked.TableName, answer.Item)
  if (answer.Items !== undefined) changes.Items = answer.Items.map((item) => shown(asked.TableName, item))
  if (isList(answer.Responses)) {
    const { TransactItems = [] } = asked
    changes.Responses = answer.Responses.map((response, index) =>
      response.Item === undefined
        ? response
        : { ...response, Item: shown(tableOf(TransactItems[index]), response.Item) },
    )
  } else if (answer.Responses !== undefined) {
    changes.Responses = perTable(answer.Responses, shown)
  }
  if (answer.UnprocessedItems !== undefined) {
    changes.UnprocessedItems = perTable(answer.UnprocessedItems, (name, request) =>
      request.PutRequest?.Item === undefined
        ? request
        : { ...request, PutRequest: { Item: shown(name, request.PutRequest.Item) } },
    )
  }
  const { Attributes: _attributes, ...rest } = output as Answer
  const isGone = 'Attributes' in changes && changes.Attributes === undefined
  return (isGone ? rest : { ...output, ...changes }) as Output
}

/** Removes the shadow keys from the items in an error. The SDK's own object is modified. */
export function errorWithoutShadowKeys(tables: IndexedTables, input: object, error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const asked: Asked = input
  const failed = error as Error & {
    Item?: Attributes
    CancellationReasons?: (CancellationReason | undefined)[]
  }
  if (failed.Item !== undefined) {
    failed.Item = tables.of(asked.TableName)?.withoutShadowKeys(failed.Item) ?? failed.Item
  }
  for (const [index, reason] of failed.CancellationReasons?.entries() ?? []) {
    if (reason?.Item === undefined) continue
    const table = tables.of(tableOf(asked.TransactItems?.[index]))
    reason.Item = table?.withoutShadowKeys(reason.Item) ?? reason.Item
  }
  return error
}

function isList(responses: Answer['Responses']): responses is readonly { readonly Item?: Attributes }[] {
  return Array.isArray(responses)
}

function perTable<Member>(
  members: Readonly<Record<string, readonly Member[]>>,
  shown: (name: string, member: Member) => Member,
): Record<string, Member[]> {
  return Object.fromEntries(
    Object.entries(members).map(([name, list]) => [name, list.map((member) => shown(name, member))]),
  )
}

function tableOf(member: TransactGetItem | TransactWriteItem | undefined): string | undefined {
  const [action] = Object.values(member ?? {}) as readonly ({ readonly TableName?: string } | undefined)[]
  return action?.TableName
}
