import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import type { Process } from '../world/process.js'
import type { Attributes } from './item-operations.js'

export interface ContactName {
  readonly tenant: string
  readonly id: string
}

/** What a contact is: its terms, in order; none where it is not there. */
export type Terms = readonly string[]

export const TERMS = ['ant', 'bee', 'cat', 'dog', 'eel', 'fox'] as const

/** Of one contact. */
const MAX_TERMS = 3

export interface ContactChange {
  readonly contact: ContactName
  /** As it was read. */
  readonly before: Attributes | undefined
  readonly terms: Terms
  /** Of the contact, when it is changed; no other change has it. */
  readonly version: string
}

/** The contact under the condition that it is as it was read, and what differs of its search items. */
export function changeOf(
  tables: { readonly contacts: { readonly name: string }; readonly postings: { readonly name: string } },
  { contact, before, terms, version }: ContactChange,
): TransactWriteItem[] {
  const seen = before?.version
  if (seen === undefined && terms.length === 0) return []
  const condition =
    seen === undefined
      ? { ConditionExpression: 'attribute_not_exists(version)' }
      : { ConditionExpression: 'version = :seen', ExpressionAttributeValues: { ':seen': seen } }
  const Key = contactKey(contact)
  const Item = contactItem(contact, terms, version)
  const base: TransactWriteItem =
    terms.length === 0
      ? { Delete: { TableName: tables.contacts.name, Key, ...condition } }
      : { Put: { TableName: tables.contacts.name, Item, ...condition } }
  const had = termsOf(before?.terms)
  const TableName = tables.postings.name
  const gone = had.filter((term) => !terms.includes(term))
  const come = terms.filter((term) => !had.includes(term))
  return [
    base,
    ...gone.map((term) => ({ Delete: { TableName, Key: postingKey(contact, term) } })),
    ...come.map((term) => ({ Put: { TableName, Item: postingKey(contact, term) } })),
  ]
}

/** A contact as it is stored. */
export function contactItem(contact: ContactName, terms: Terms, version: string): Attributes {
  return { ...contactKey(contact), terms: { S: terms.join(' ') }, version: { S: version } }
}

export function contactKey({ tenant, id }: ContactName): Attributes {
  return { tenant: { S: tenant }, id: { S: id } }
}

/** A search item has its key only. */
export function postingKey({ tenant, id }: ContactName, term: string): Attributes {
  return { term: { S: `${tenant}/${term}` }, id: { S: id } }
}

export function termsOf(value: Attributes[string] | undefined): Terms {
  return value?.S === undefined || value.S === '' ? [] : value.S.split(' ')
}

/** Different ones, in order. */
export function drawnTerms({ random }: Process): Terms {
  const count = randomInteger(random, 1, MAX_TERMS)
  const first = randomInteger(random, 0, TERMS.length - 1)
  return Array.from(
    { length: count },
    (_, index) => TERMS[(first + index * 2) % TERMS.length] ?? 'ant',
  ).sort()
}
