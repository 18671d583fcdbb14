import { type DynamoDBClient, GetItemCommand, PutItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb'
import { DOCUMENTS } from './soak-tables.js'

/** Every so many writes of a document, its writer reads it back. */
const WRITES_PER_READ = 10

/** Documents with versions. Each has one writer, so it knows the version that a read must return. */
export class DocumentLedger {
  readonly #db: DynamoDBClient
  readonly #text: string
  /** The acknowledged versions, by folder and name. */
  readonly #versions = new Map<string, Map<string, number>>()
  #reads = 0
  #wrong = 0

  constructor(db: DynamoDBClient, text: string) {
    this.#db = db
    this.#text = text
  }

  get totals() {
    let [documents, writes] = [0, 0]
    for (const versions of this.#versions.values()) {
      documents += versions.size
      for (const version of versions.values()) writes += version
    }
    return { documents, writes, reads: this.#reads, wrong: this.#wrong }
  }

  /** The next version of a document. The same version twice has the same effect as once. */
  nextVersion(folder: string, name: string): () => Promise<void> {
    const versions = this.#versions.get(folder) ?? new Map<string, number>()
    this.#versions.set(folder, versions)
    const version = (versions.get(name) ?? 0) + 1
    return async () => {
      const Key = { folder: { S: folder }, name: { S: name } }
      const Item = { ...Key, version: { N: String(version) }, text: { S: this.#text } }
      await this.#db.send(new PutItemCommand({ TableName: DOCUMENTS, Item }))
      if (version % WRITES_PER_READ === 0) {
        const get = new GetItemCommand({ TableName: DOCUMENTS, Key, ConsistentRead: true })
        const { Item: read } = await this.#db.send(get)
        this.#compare(read?.version?.N, version)
      }
      versions.set(name, version)
    }
  }

  /** Reads all documents, when nobody writes them any more. */
  async readAll(): Promise<void> {
    for (const [folder, versions] of this.#versions) {
      const found = new Map<string, string | undefined>()
      const input = {
        TableName: DOCUMENTS,
        KeyConditionExpression: 'folder = :folder',
        ExpressionAttributeValues: { ':folder': { S: folder } },
        ConsistentRead: true,
      }
      for await (const { Items = [] } of paginateQuery({ client: this.#db }, input)) {
        for (const { name, version } of Items) {
          if (found.has(name?.S ?? '')) this.#wrong++
          found.set(name?.S ?? '', version?.N)
        }
      }
      for (const [name, version] of versions) this.#compare(found.get(name), version)
    }
  }

  #compare(read: string | undefined, expected: number): void {
    this.#reads++
    if (Number(read) !== expected) this.#wrong++
  }
}
