import { type DynamoDBClient, TransactGetItemsCommand } from '@aws-sdk/client-dynamodb'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import { type Contact, TERMS, type Terms } from './contact.js'
import type { Attributes } from './item-operations.js'
import { untilAnswered } from './until-answered.js'

const BOUNDARIES = TERMS.flatMap((one) => TERMS.map((other) => boundary(one, other)))

/** Sort keys of all search items that a contact may have. */
const NAMES = [
  'item',
  '=terms',
  ...TERMS.flatMap((term) => [`~${term}`, `^${term}`]),
  ...new Set(BOUNDARIES.map((gram) => `~${gram}`)),
]

/**
 * Reads a contact and the search items that it could have at one instant.
 *
 * @throws Violation where they do not agree, or the contact is not what was written last
 */
export async function compareContact(
  process: Process,
  db: DynamoDBClient,
  table: string,
  contact: Contact,
): Promise<void> {
  const { tenant, id, known } = contact
  const before = known.sure
  const isSettled = () => contact.imports === 0 && !contact.isLeftOver
  const [wasSettled, begun] = [isSettled(), contact.importsBegun]
  const keys = NAMES.map((name) => ({ ID: { S: `${tenant}#${id}` }, DataType: { S: name } }))
  const TransactItems = keys.map((Key) => ({ Get: { TableName: table, Key } }))
  const { Responses = [] } = await untilAnswered(process, () =>
    db.send(new TransactGetItemsCommand({ TransactItems })),
  )
  const [item, ...searchItems] = Responses.map(({ Item }) => Item)
  const has = visibleTerms(item)
  const found = searchItems.flatMap((one) => (one === undefined ? [] : [searchItemText(one)])).sort()
  const wanted = searchTexts(has).sort()
  const hasImport = !wasSettled || !isSettled() || contact.importsBegun !== begun
  if (!hasImport && found.join() !== wanted.join()) {
    const seen = `${contact.name} is "${has}", and has the search items ${found.join()} instead of ${wanted.join()}`
    throw new Violation('search items agree with their items', `${process.name}: ${seen}`, [tenant, id])
  }
  if (before === undefined || known.sure?.since !== before.since || has === before.state) return
  const seen = `${contact.name} is "${before.state}", and ${process.name} read "${has}"`
  throw new Violation('what was written is read', seen, [tenant, id])
}

/** An item that an import has not finished is not there. */
function visibleTerms(item: Attributes | undefined): Terms {
  return item?.Importing === undefined ? (item?.terms?.S ?? '') : ''
}

/** What there must be for a contact: by the guide, not by the library's code. */
function searchTexts(terms: Terms): string[] {
  if (terms === '') return []
  const all = terms.split(' ')
  const boundaries = all.slice(1).map((term, at) => boundary(all[at] ?? '', term))
  const grams = [...all, ...boundaries]
  // Terms are so short that the characters around each gram are all of them.
  return [`=terms ${terms}`, `^${terms.slice(0, 3)} ${terms}`, ...grams.map((gram) => `~${gram} ${terms}`)]
}

/** The part that spans two terms. */
function boundary(one: string, other: string): string {
  return `${one.slice(-1)} ${other.slice(0, 1)}`
}

/** The name of a search item with the texts in its sort key, but not its position. */
function searchItemText({ DataType, SearchValue }: Attributes): string {
  const [first = '', second] = (SearchValue?.S ?? '').split('\t')
  const text = DataType?.S?.startsWith('=') ? first : second
  return text === undefined ? `${DataType?.S}` : `${DataType?.S} ${text}`
}
