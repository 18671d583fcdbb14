import {
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  type KeysAndAttributes,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import { KnownState, type KnownWrite } from '../invariants/known-state.js'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import {
  type ContactName,
  changeOf,
  contactItem,
  contactKey,
  drawnTerms,
  postingKey,
  TERMS,
  type Terms,
  termsOf,
} from './contact-change.js'
import { everyItemOf } from './every-item.js'
import { requireExpected } from './expected-error.js'
import type { Attributes } from './item-operations.js'
import { untilAnswered } from './until-answered.js'
import type { Client, Workload } from './workload.js'

export interface SearchOptions {
  readonly contacts: WorkloadTable
  /** One search item for each term of a contact, under the term. */
  readonly postings: WorkloadTable
  readonly changesPerSecond: number
  readonly readsPerSecond: number
  readonly processes: number
  readonly tenants: number
  readonly contactsPerTenant: number
  readonly latestMilliseconds: number
}

/** Of a contact that is there before the load, at most. */
const EXISTING_TERMS = 2

interface Contact extends ContactName {
  readonly known: KnownState<Terms>
}

/**
 * Contacts and their search items, which the application keeps together in transactions over two tables: changed, deleted
 * and created again under the version that was read. Whoever looks at both at one instant sees them agree, and a search finds
 * what has been there all the while.
 */
export class Search implements Workload {
  readonly name = 'search'
  readonly tables: readonly WorkloadTable[]
  readonly #world: World
  readonly #options: SearchOptions
  readonly #contacts: readonly Contact[]
  #versions = 0

  constructor(world: World, options: SearchOptions) {
    this.#world = world
    this.#options = options
    this.tables = [options.contacts, options.postings]
    const { tenants, contactsPerTenant, latestMilliseconds } = options
    this.#contacts = Array.from({ length: tenants * contactsPerTenant }, (_, index) => ({
      tenant: `tenant${index % tenants}`,
      id: `contact${Math.floor(index / tenants)}`,
      known: new KnownState<Terms>(world, latestMilliseconds, []),
    }))
  }

  existing({ name }: WorkloadTable): readonly Attributes[] {
    const isOfContacts = name === this.#options.contacts.name
    return this.#contacts.flatMap((contact, index) => {
      const terms = TERMS.slice(index % TERMS.length, (index % TERMS.length) + EXISTING_TERMS)
      contact.known.answered(contact.known.begun(), terms)
      return isOfContacts
        ? [contactItem(contact, terms, 'v0')]
        : terms.map((term) => postingKey(contact, term))
    })
  }

  begin(process: Process, db: Client): void {
    const { changesPerSecond, readsPerSecond, processes } = this.#options
    const each = (perSecond: number, call: (contact: Contact) => Promise<void>) =>
      atRate(
        this.#world,
        process,
        () => perSecond / processes,
        () => call(this.#drawn(process)),
      )
    each(changesPerSecond, (contact) => this.#change(process, db, contact))
    each(readsPerSecond, (contact) => this.#compare(process, db, contact))
    each(readsPerSecond, ({ tenant }) => this.#search(process, db, tenant))
  }

  async touch(process: Process, db: Client): Promise<void> {
    for (const contact of this.#contacts) await this.#compare(process, db, contact)
  }

  neighbours(): readonly string[] {
    return []
  }

  async conclude(process: Process, db: Client): Promise<void> {
    const { contacts, postings, tenants } = this.#options
    for (let index = 0; index < tenants; index++) {
      const tenant = `tenant${index}`
      const stored = await this.#all(process, db, contacts, tenant)
      const expected = stored.flatMap(({ id, terms }) => termsOf(terms).map((term) => `${term} ${id?.S}`))
      for (const term of TERMS) {
        const found = await this.#all(process, db, postings, `${tenant}/${term}`)
        const ids = found.map(({ id }) => `${term} ${id?.S}`)
        const own = expected.filter((name) => name.startsWith(term)).sort()
        if (ids.sort().join() === own.join()) continue
        const seen = `${tenant} has ${own.join()} and ${process.name} finds ${ids.join()}`
        throw new Violation('search items agree with their items', seen, [tenant])
      }
    }
    for (const contact of this.#contacts) await this.#compare(process, db, contact)
  }

  async #change(process: Process, db: DynamoDBClient, contact: Contact): Promise<void> {
    const before = await this.#read(process, db, contact)
    const terms = process.random.next() < 0.25 ? [] : drawnTerms(process)
    this.#versions += 1
    const change = { contact, before, terms, version: `v${this.#versions}` }
    const TransactItems = changeOf(this.#options, change)
    if (TransactItems.length === 0) return
    const write = contact.known.begun()
    const forget = () => contact.known.unanswered(write)
    process.whenCrashed(forget)
    try {
      await db.send(new TransactWriteItemsCommand({ TransactItems }))
      this.#settle(contact, write, before, terms)
    } catch (error) {
      requireExpected(error)
      forget()
    } finally {
      process.notWhenCrashed(forget)
    }
  }

  #settle(
    { known, tenant, id }: Contact,
    write: KnownWrite<Terms>,
    before: Attributes | undefined,
    terms: Terms,
  ) {
    const read = termsOf(before?.terms).join()
    if (write.isAlone && write.before !== undefined && write.before.join() !== read) {
      const seen = `${tenant} ${id} was changed from ${read}, and was ${write.before.join()}`
      throw new Violation('a condition holds when its write is carried out', seen, [tenant, id])
    }
    known.answered(write, terms)
  }

  /** A contact and the search items that it could have, at one instant. */
  async #compare(process: Process, db: DynamoDBClient, contact: Contact): Promise<void> {
    const { contacts, postings } = this.#options
    const before = contact.known.sure
    const TransactItems = [
      { Get: { TableName: contacts.name, Key: contactKey(contact) } },
      ...TERMS.map((term) => ({ Get: { TableName: postings.name, Key: postingKey(contact, term) } })),
    ]
    const { Responses = [] } = await untilAnswered(process, () =>
      db.send(new TransactGetItemsCommand({ TransactItems })),
    )
    const [item, ...found] = Responses
    const has = [...termsOf(item?.Item?.terms)].sort()
    const isFoundBy = TERMS.filter((_, index) => found[index]?.Item !== undefined)
    const { tenant, id } = contact
    if (has.join() !== isFoundBy.join()) {
      const seen = `${tenant} ${id} has the terms ${has.join()}, and the search items ${isFoundBy.join()}`
      throw new Violation('search items agree with their items', `${process.name}: ${seen}`, [tenant, id])
    }
    const after = contact.known.sure
    if (
      before === undefined ||
      after?.since !== before.since ||
      has.join() === [...before.state].sort().join()
    )
      return
    const seen = `${tenant} ${id} is ${before.state.join()}, and ${process.name} read ${has.join()}`
    throw new Violation('what was written is read', seen, [tenant, id])
  }

  /** Those that have a term: found by their search items, and then read by batches. */
  async #search(process: Process, db: DynamoDBClient, tenant: string): Promise<void> {
    const term = TERMS[randomInteger(process.random, 0, TERMS.length - 1)] ?? 'ant'
    const own = this.#contacts.filter((contact) => contact.tenant === tenant)
    const before = new Map(own.map(({ id, known }) => [id, known.sure]))
    const found = await this.#all(process, db, this.#options.postings, `${tenant}/${term}`)
    const ids = found.map(({ id }) => String(id?.S))
    const items = await this.#readAll(process, db, tenant, ids)
    for (const { id, known } of own) {
      const sure = before.get(id)
      if (sure === undefined || known.sure?.since !== sure.since) continue
      const times = items.filter((item) => item.id?.S === id && termsOf(item.terms).includes(term)).length
      const expected = sure.state.includes(term) ? 1 : 0
      if (times === expected) continue
      const seen = `${process.name} found ${tenant} ${id} ${times} times under ${term}, and it has ${sure.state.join()}`
      throw new Violation('a search finds what is there', seen, [tenant, id])
    }
  }

  /** @throws Violation for an item that comes twice, or that nobody asked for */
  async #readAll(process: Process, db: DynamoDBClient, tenant: string, ids: readonly string[]) {
    const { name } = this.#options.contacts
    const items: Attributes[] = []
    let left: KeysAndAttributes | undefined = {
      Keys: ids.map((id) => ({ tenant: { S: tenant }, id: { S: id } })),
      ConsistentRead: true,
    }
    while (left?.Keys !== undefined && left.Keys.length > 0) {
      const RequestItems: Record<string, KeysAndAttributes> = { [name]: left }
      const page = await untilAnswered(process, () => db.send(new BatchGetItemCommand({ RequestItems })))
      items.push(...(page.Responses?.[name] ?? []))
      left = page.UnprocessedKeys?.[name]
      if (left !== undefined) await process.clock.sleep(100 * process.random.next())
    }
    const names = items.map(({ id }) => String(id?.S))
    const odd = names.find((id, index) => names.indexOf(id) !== index || !ids.includes(id))
    if (odd === undefined) return items
    const seen = `${process.name} asked for ${ids.join()} and was given ${names.join()}`
    throw new Violation('a batch gives each item once', seen, [tenant, odd])
  }

  async #read(process: Process, db: DynamoDBClient, contact: Contact): Promise<Attributes | undefined> {
    const read = { TableName: this.#options.contacts.name, Key: contactKey(contact), ConsistentRead: true }
    return (await untilAnswered(process, () => db.send(new GetItemCommand(read)))).Item
  }

  #all(process: Process, db: DynamoDBClient, { name, partitionKey }: WorkloadTable, key: string) {
    return everyItemOf(process, db, { table: name, partitionKey, key })
  }

  #drawn({ random }: Process): Contact {
    const contact = this.#contacts[randomInteger(random, 0, this.#contacts.length - 1)]
    if (contact === undefined) throw new Error('There are no contacts.')
    return contact
  }
}
