import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import type { Item } from '@isotherm/semantics'
import type { PatternClient } from './sending/pattern-client.js'
import { toAttributes } from './values/to-attribute-value.js'
import { toPlainItem } from './values/to-plain-value.js'

/** The members of an action that have attribute values. */
const VALUES = ['Item', 'Key', 'ExpressionAttributeValues'] as const

type Actions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A write of a transaction, with attribute values as the client takes them: `{ S: 'a' }`, or `'a'` for a `DynamoDBDocumentClient`. */
export type CallerAction = {
  readonly [Kind in keyof TransactWriteItem]:
    | {
        readonly [Member in keyof NonNullable<TransactWriteItem[Kind]>]: Member extends
          | 'Item'
          | 'Key'
          | 'ExpressionAttributeValues'
          ? object | Extract<NonNullable<TransactWriteItem[Kind]>[Member], undefined>
          : NonNullable<TransactWriteItem[Kind]>[Member]
      }
    | undefined
}

/** An action for a transaction of the caller, in the form that the caller's client takes. */
export function actionForCaller(db: PatternClient, action: TransactWriteItem): TransactWriteItem {
  return isDocumentClient(db) ? converted(action, (values) => toPlainItem(values as Item)) : action
}

/**
 * An action that the caller gave, in low-level form. It may have either form: a key attribute, which each action has, is an object in
 * one of them, and none in the other.
 *
 * @param marshalled applies the options of the caller's client to JavaScript values
 * @throws IsothermError `pattern.value`
 */
export function actionOfCaller(
  action: CallerAction,
  marshalled: (values: object) => unknown = (values) => values,
): TransactWriteItem {
  const isPlain = Object.values(action as Actions).some((members) =>
    Object.values(Object(members.Key ?? members.Item)).some(
      (value) => value !== undefined && !isAttributeValue(value),
    ),
  )
  return isPlain
    ? converted(action, (values) => toAttributes('the action', marshalled(defined(values))))
    : (action as TransactWriteItem)
}

/** The document client leaves out attributes that are `undefined`, without the option for members of maps. */
function defined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

function isAttributeValue(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
}

/**
 * Whether the application writes attribute values as JavaScript values. The package with `DynamoDBDocumentClient` may not be installed, and a
 * bundler renames classes. It shares its config with the client that it was made from, but does not end that when it is destroyed.
 */
function isDocumentClient(db: PatternClient): boolean {
  if (!('translateConfig' in db.config)) return false
  for (let level: object | null = db; level !== null; level = Object.getPrototypeOf(level)) {
    const { destroy } = Object.getOwnPropertyDescriptors(level) as { destroy?: PropertyDescriptor }
    if (typeof destroy?.value === 'function' && DOES_NOTHING.test(String(destroy.value))) return true
  }
  return false
}

/** The text of a method without statements. */
const DOES_NOTHING = /^destroy\s*\(\s*\)\s*\{\s*(\/\/[^\n]*\n\s*)*\}$/

function converted(action: CallerAction, convert: (values: object) => object): TransactWriteItem {
  return Object.fromEntries(
    Object.entries(action as Actions).map(([kind, members]) => {
      const own: Record<string, unknown> = { ...members }
      for (const name of VALUES) if (own[name] !== undefined) own[name] = convert(Object(own[name]))
      return [kind, own]
    }),
  )
}
