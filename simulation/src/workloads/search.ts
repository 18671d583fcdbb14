import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { randomInteger, SeededRandom } from '@isotherm/runtime'
import type { Directory, DirectoryDefinition, DirectoryWork } from 'isotherm/search'
import { LinkWatch } from '../invariants/link-watch.js'
import type { Library } from '../world/library.js'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import { Contact, drawnTerms, type Effect, type Terms } from './contact.js'
import { compareContact } from './directory-agreement.js'
import { searchContacts } from './directory-search.js'
import { requireExpected } from './expected-error.js'
import type { Attributes } from './item-operations.js'
import { untilAnswered } from './until-answered.js'
import type { Client, Workload } from './workload.js'

export interface SearchOptions {
  /** With the index of search items. */
  readonly contacts: WorkloadTable
  /** With the index of pending work. */
  readonly jobs: WorkloadTable
  readonly changesPerSecond: number
  readonly readsPerSecond: number
  readonly processes: number
  readonly tenants: number
  readonly contactsPerTenant: number
  readonly latestMilliseconds: number
  /** How far the index and replicas may be behind. */
  readonly staleMilliseconds: number
  /** Whether an attempt may be carried out after the one that followed it. */
  readonly isLate: boolean
}

export const SEARCH_INDEX = 'search'
export const SPREAD_INDEX = 'pending'

const FIELDS = { terms: { required: true, search: 'substring' } } as const
const LINKS = { category: { search: 'prefix' } } as const
const CATEGORIES = ['c0', 'c1'] as const
/** No term begins with one of them. */
const NAMES = ['x', 'y', 'z'] as const

type Contacts = Directory<typeof FIELDS, typeof LINKS>

/** Nothing was written, or nobody knows who wrote it. */
const REFUSALS: readonly unknown[] = [
  'search.exists',
  'search.missing',
  'search.changed',
  'search.busy',
  'search.unprocessed',
]

/** Of all processes together, beside one by each when it begins: what one rename leaves wrong, the next one of the same category hides. */
const RENAMES_PER_SECOND = 0.05

const IDLE_MILLISECONDS = 500
/** Work that waits for its time is looked for so often, without any that is left. */
const MAX_LOOKS = 1_000

/**
 * A directory of the library, in a sharded table with a sharded index: contacts are created, changed, deleted and imported, and linked to
 * categories that are renamed and deleted meanwhile. Readers see a contact and its search items agree at one instant, and a search finds
 * what has been there all the while.
 */
export class Search implements Workload {
  readonly name = 'search'
  readonly tables: readonly WorkloadTable[]
  readonly #world: World
  readonly #library: Library
  readonly #options: SearchOptions
  readonly #definition: DirectoryDefinition<typeof FIELDS, typeof LINKS>
  readonly #contacts: readonly Contact[]
  #settling: Promise<void> | undefined

  constructor(world: World, library: Library, options: SearchOptions) {
    this.#world = world
    this.#library = library
    this.#options = options
    this.tables = [options.contacts, options.jobs]
    const { name: table } = options.contacts
    const { tenants, contactsPerTenant, latestMilliseconds } = options
    world.observers.push(new LinkWatch(world, table).observe)
    this.#definition = library.defineDirectory({ table, index: SEARCH_INDEX, fields: FIELDS, links: LINKS })
    this.#contacts = Array.from({ length: tenants * contactsPerTenant }, (_, index) => {
      const id = `contact${Math.floor(index / tenants)}`
      return new Contact(world, `tenant${index % tenants}`, id, latestMilliseconds)
    })
  }

  /** Contacts of an import that has ended half-way: they are not in the index, as nothing is that an application stored without the library. */
  existing({ name }: WorkloadTable): readonly Attributes[] {
    if (name !== this.#options.contacts.name) return []
    return this.#contacts.map(({ tenant, id }) => ({
      ID: { S: `${tenant}#${id}` },
      DataType: { S: 'item' },
      Importing: { S: 'v0' },
      CreatedAt: { N: '1' },
      Version: { S: 'v0' },
      terms: { S: 'ant' },
    }))
  }

  begin(process: Process, db: Client): void {
    const { changesPerSecond, readsPerSecond, processes } = this.#options
    const contacts = this.#open(process, db)
    const each = (perSecond: number, call: (contact: Contact) => Promise<void>) =>
      atRate(
        this.#world,
        process,
        () => perSecond / processes,
        () => call(this.#drawn(process)),
      )
    each(changesPerSecond, (contact) => this.#change(process, contacts, contact))
    each(changesPerSecond / 4, ({ tenant }) => this.#import(process, contacts, tenant))
    each(readsPerSecond, (contact) => this.#link(process, contacts, contact))
    each(RENAMES_PER_SECOND, ({ tenant }) => this.#rename(process, contacts, tenant))
    each(readsPerSecond, (contact) => compareContact(process, db, this.#definition.table, contact))
    each(readsPerSecond, ({ tenant }) => this.#search(process, contacts, tenant))
    const names = () => this.#rename(process, contacts, this.#drawn(process).tenant)
    Promise.all([names(), this.#work(process, db)]).catch((error: unknown) => this.#world.guard(error))
  }

  async touch(process: Process, db: Client): Promise<void> {
    for (const contact of this.#contacts) {
      await compareContact(process, db, this.#definition.table, contact)
      await this.#search(process, this.#open(process, db), contact.tenant)
    }
    await this.#workOff(process, db)
    const { name: TableName, operated } = this.#options.jobs
    for (const id of operated) {
      const Key = { id: { S: id }, part: { S: 'isotherm:queue' } }
      await untilAnswered(process, () => db.send(new GetItemCommand({ TableName, Key })))
    }
  }

  neighbours(): readonly string[] {
    return []
  }

  async conclude(process: Process, db: Client): Promise<void> {
    this.#settling ??= this.#settle(process, db)
    await this.#settling
    const contacts = this.#open(process, db)
    for (const contact of this.#contacts) await compareContact(process, db, this.#definition.table, contact)
    for (let index = 0; index < this.#options.tenants; index++)
      await this.#compareLists(process, contacts, `tenant${index}`)
  }

  async #change(process: Process, contacts: Contacts, contact: Contact): Promise<void> {
    const { tenant, id } = contact
    const own = contacts.tenant(tenant)
    const terms = drawnTerms(process)
    const isDeletion = process.random.next() < 0.25
    await this.#follow(process, contact, async () => {
      const item = await own.get(id)
      if (item === undefined) {
        await own.create({ terms }, { id })
        return { before: '', after: terms }
      }
      if (isDeletion) return { before: (await own.delete(id)) ? undefined : '', after: '' }
      await own.update(id, { terms }, { version: item.version })
      return { before: item.terms, after: terms }
    })
  }

  async #import(process: Process, contacts: Contacts, tenant: string): Promise<void> {
    const [contact] = this.#contacts.filter((one) => one.tenant === tenant && process.random.next() < 0.3)
    if (contact === undefined) return
    const row = { id: contact.id, fields: { terms: drawnTerms(process) } }
    await this.#importRow(process, contacts, contact, row)
  }

  async #importRow(
    process: Process,
    contacts: Contacts,
    contact: Contact,
    row: { readonly id: string; readonly fields: { readonly terms: Terms } },
  ): Promise<void> {
    const leave = () => {
      contact.isLeftOver = true
    }
    process.whenCrashed(leave)
    contact.imports += 1
    contact.importsBegun += 1
    if (this.#options.isLate) leave()
    let isDone = false
    try {
      await this.#follow(process, contact, async () => {
        await contacts.tenant(contact.tenant).import([row])
        isDone = true
        return { before: undefined, after: row.fields.terms }
      })
    } finally {
      process.notWhenCrashed(leave)
      contact.imports -= 1
      if (!isDone) leave()
    }
  }

  async #link(process: Process, contacts: Contacts, { tenant, id }: Contact): Promise<void> {
    const category = CATEGORIES[randomInteger(process.random, 0, CATEGORIES.length - 1)] ?? 'c0'
    const isLink = process.random.next() < 0.7
    const own = contacts.tenant(tenant)
    await attempted(() =>
      isLink ? own.link(id, 'category', category) : own.unlink(id, 'category', category),
    )
  }

  async #rename(process: Process, contacts: Contacts, tenant: string): Promise<void> {
    const category = CATEGORIES[randomInteger(process.random, 0, CATEGORIES.length - 1)] ?? 'c0'
    const name = NAMES[randomInteger(process.random, 0, NAMES.length - 1)] ?? 'x'
    const own = contacts.tenant(tenant)
    const isDeletion = process.random.next() < 0.1
    await attempted(() =>
      isDeletion ? own.deleteTarget('category', category) : own.setTarget('category', category, name),
    )
  }

  async #search(process: Process, contacts: Contacts, tenant: string): Promise<void> {
    await searchContacts(process, {
      world: this.#world,
      tenant: contacts.tenant(tenant),
      contacts: this.#contacts.filter((contact) => contact.tenant === tenant),
      staleMilliseconds: this.#options.staleMilliseconds,
    })
  }

  async #follow(process: Process, contact: Contact, work: () => Promise<Effect>): Promise<void> {
    await contact.follow(process, () => attempted(work))
  }

  async #work(process: Process, db: Client): Promise<void> {
    const stop = new AbortController()
    const work = this.#jobs(process, db).work(this.#open(process, db).handle, {
      signal: stop.signal,
      // All workers together ask about as often, however many they are.
      pollInterval: IDLE_MILLISECONDS * Math.max(1, this.#options.processes),
      stopTimeout: 0,
    })
    while (this.#world.isLoading) await process.clock.sleep(IDLE_MILLISECONDS)
    stop.abort()
    await work
  }

  async #workOff(process: Process, db: Client): Promise<void> {
    const options = { concurrency: 5, untilEmpty: true, pollInterval: 100 }
    await untilAnswered(process, () => this.#jobs(process, db).work(this.#open(process, db).handle, options))
  }

  /** Ends what the load has left: work that follows renames, imports that nobody has ended, and what a check finds of them. */
  async #settle(process: Process, db: Client): Promise<void> {
    const contacts = this.#open(process, db)
    const jobs = this.#jobs(process, db)
    const lastMilliseconds = this.#options.staleMilliseconds + IDLE_MILLISECONDS
    for (let looks = 0, empty = 0; empty * IDLE_MILLISECONDS < lastMilliseconds; looks++) {
      await this.#workOff(process, db)
      const { due, later, dead } = await untilAnswered(process, () => jobs.stats())
      if (dead > 0 || looks === MAX_LOOKS)
        throw new Violation(
          'every rename is followed',
          `${due + later} operations are left, and ${dead} are dead`,
        )
      empty = due + later === 0 ? empty + 1 : 0
      await process.clock.sleep(IDLE_MILLISECONDS)
    }
    for (const contact of this.#contacts) {
      const { tenant, id } = contact
      const item = await untilAnswered(process, () => contacts.tenant(tenant).get(id))
      if (item !== undefined) continue
      const row = { id, fields: { terms: drawnTerms(process) } }
      await this.#importRow(process, contacts, contact, row)
    }
    const leftOver = this.#contacts.some(({ isLeftOver }) => isLeftOver)
    const found = await untilAnswered(process, () => contacts.check({ repair: true }))
    if (found.outdated > 0 || (!leftOver && found.missing + found.extra > 0))
      throw new Violation('a check finds nothing', `${process.name} found ${JSON.stringify(found)}`)
    for (const contact of this.#contacts) contact.isLeftOver = false
    const left = await untilAnswered(process, () => contacts.check())
    if (left.missing + left.extra + left.outdated > 0)
      throw new Violation('a check repairs everything', `${process.name} found ${JSON.stringify(left)}`)
    await process.clock.sleep(lastMilliseconds)
  }

  /** Lists are in order, and have each contact with the present names of its categories. */
  async #compareLists(process: Process, contacts: Contacts, tenant: string): Promise<void> {
    const own = contacts.tenant(tenant)
    const { items } = await untilAnswered(process, () => own.list())
    const ids = this.#contacts.filter((one) => one.tenant === tenant).map(({ id }) => id)
    const isOrdered = items.every(({ createdAt }, at) => createdAt <= (items[at - 1]?.createdAt ?? createdAt))
    const listed = items.map(({ id }) => id)
    if (!isOrdered || [...listed].sort().join() !== [...ids].sort().join())
      throw new Violation('a list has everything, newest first', `${tenant}: ${listed.join()}`, [tenant])
    const targets = await untilAnswered(process, () => own.targets('category'))
    for (const id of CATEGORIES) {
      const name = targets.find((one) => one.id === id)?.name
      const linked = await untilAnswered(process, () => own.list({ linkedTo: { category: id } }))
      const names = items.flatMap(({ links }) => links.category.filter((link) => link.id === id))
      if (names.every((link) => link.name === name) && names.length === linked.items.length) continue
      const seen = `${tenant} has ${id} named ${name}, with ${linked.items.length} links, and its contacts have ${names.map((link) => link.name).join()}`
      throw new Violation('a link has the name of its target', seen, [tenant])
    }
  }

  #open(process: Process, db: DynamoDBClient): Contacts {
    const jobs = this.#jobs(process, db)
    const { staleMilliseconds } = this.#options
    return this.#library.directory(db, this.#definition, {
      // The second sweep is for an index that is behind, which here is so for a time that is known.
      jobs: {
        ...jobs,
        prepare: (payload, options) =>
          jobs.prepare(payload, options?.delay === undefined ? options : { delay: staleMilliseconds }),
      },
      clock: process.clock,
      random: randomOf(process),
    })
  }

  #jobs(process: Process, db: DynamoDBClient) {
    const { jobs } = this.#options
    return this.#library.queue<DirectoryWork>(db, {
      table: jobs.name,
      partitionKey: jobs.partitionKey,
      sortKey: jobs.sortKey,
      index: SPREAD_INDEX,
      shards: 2,
      lease: 5_000,
      maxAttempts: 1_000,
      retryDelay: 100,
      maxRetryDelay: 1_000,
      clock: process.clock,
      random: randomOf(process),
    })
  }

  #drawn({ random }: Process): Contact {
    const contact = this.#contacts[randomInteger(random, 0, this.#contacts.length - 1)]
    if (contact === undefined) throw new Error('There are no contacts.')
    return contact
  }
}

function randomOf({ random }: Process): SeededRandom {
  return new SeededRandom(Math.floor(random.next() * 2 ** 32))
}

/** @returns `undefined` where nobody knows whether it was done. @throws what no application should ever see */
async function attempted<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (REFUSALS.includes(Object(error).code)) return undefined
    requireExpected(error)
    return undefined
  }
}
