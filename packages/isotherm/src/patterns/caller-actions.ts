import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import type { Item } from '@isotherm/semantics'
import type { PatternClient } from './sending/pattern-client.js'
import { toPlainItem } from './values/to-plain-value.js'

/** The members of an action that have attribute values. */
const VALUES = ['Item', 'Key', 'ExpressionAttributeValues'] as const

/** Whether the application writes attribute values as JavaScript values, as `DynamoDBDocumentClient` takes them. */
function isDocumentClient({ config }: PatternClient): boolean {
  return 'translateConfig' in config
}

/** An action for a transaction of the caller, in the form that the caller's client takes. */
export function actionForCaller(db: PatternClient, action: TransactWriteItem): TransactWriteItem {
  return isDocumentClient(db) ? converted(action, (values) => toPlainItem(values as Item)) : action
}

function converted(action: TransactWriteItem, convert: (values: object) => object): TransactWriteItem {
  return Object.fromEntries(
    Object.entries(action).map(([kind, members]: [string, Readonly<Record<string, unknown>>]) => {
      const own: Record<string, unknown> = { ...members }
      for (const name of VALUES) if (own[name] !== undefined) own[name] = convert(Object(own[name]))
      return [kind, own]
    }),
  )
}
