import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { queue, queueTable } from 'isotherm/queue'
import {
  companyName,
  type DirectoryWork,
  defineDirectory,
  directory,
  directoryTable,
  phoneNumber,
} from 'isotherm/search'

/** What is kept of a contact, and how it is found. */
const CONTACTS = defineDirectory({
  table: 'contacts',
  fields: {
    name: { required: true, search: 'substring' },
    company: { search: 'substring', normalize: companyName },
    phone: { search: 'substring', normalize: phoneNumber({ country: '81' }) },
  },
  links: { category: {} },
})

const JOBS = { table: 'contact_jobs', partitionKey: 'id' }

/** The directory of contacts, and the queue of the work that follows when a category is renamed. */
export type ContactBook = ReturnType<typeof contactBook>

export function contactBook(db: DynamoDBClient) {
  const jobs = queue<DirectoryWork>(db, JOBS)
  const contacts = directory(db, CONTACTS, { jobs })
  return {
    tenant: contacts.tenant,
    check: contacts.check,
    /** Renames contacts' categories until the signal aborts. Any number of processes may do so at the same time. */
    work: (signal: AbortSignal) => jobs.work(contacts.handle, { concurrency: 4, signal }),
    /** The same, until nothing is due. */
    workOff: () => jobs.work(contacts.handle, { concurrency: 4, untilEmpty: true }),
  }
}

/** Creates both tables. */
export async function createTables(db: DynamoDBClient): Promise<void> {
  await db.send(new CreateTableCommand(directoryTable(CONTACTS)))
  await db.send(new CreateTableCommand(queueTable(JOBS)))
}
