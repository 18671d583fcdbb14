import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { IsothermError, type Large, large, type ObjectStore } from 'isotherm/large'

const DOCUMENT = /^\/documents\/([\w-]{1,100})$/
const ATTACHMENT = /^\/documents\/([\w-]{1,100})\/attachment$/

/**
 * Stores documents with an attachment of any size, each of them as one item.
 *
 *     PUT /documents/42              201 a title and a body as JSON; 409 if there is one already
 *     PUT /documents/42/attachment   204 any bytes
 *     GET /documents/42              { "title": ..., "body": ..., "attachmentBytes": ... }; reads no attachment
 *     GET /documents/42/attachment   the bytes
 *     DELETE /documents/42           204
 *
 * @param table has the partition key `id`; its chunk table exists
 * @param store where attachments go; items of the chunk table by default
 */
export function documentsServer(db: DynamoDBClient, table: string, store?: ObjectStore): Server {
  const documents = large(db, { table, partitionKey: 'id', ...(store === undefined ? {} : { store }) })
  return createServer((request, response) => {
    answer(documents, request, response).catch((error: unknown) => {
      const isTooLarge = error instanceof IsothermError && error.code === 'large.unfit'
      const exists = error instanceof Error && error.name === 'ConditionalCheckFailedException'
      if (!isTooLarge && !exists) console.error(error)
      response.writeHead(isTooLarge ? 413 : exists ? 409 : 503).end()
    })
  })
}

async function answer(documents: Large, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '' } = request
  const [, id] = DOCUMENT.exec(url) ?? []
  if (id !== undefined && method === 'PUT') {
    const { title, body } = JSON.parse((await bytesOf(request)).toString()) as Record<string, string>
    const isNew = { expression: 'attribute_not_exists(id)' }
    await documents.put({ id, title: title ?? '', body: body ?? '' }, { condition: isNew })
    response.writeHead(201).end()
    return
  }
  if (id !== undefined && method === 'GET') {
    const attributes = ['title', 'body', 'attachmentBytes']
    const document = await documents.get({ id }, { attributes })
    if (document === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
    return
  }
  if (id !== undefined && method === 'DELETE') {
    await documents.delete({ id })
    response.writeHead(204).end()
    return
  }
  const [, attached] = ATTACHMENT.exec(url) ?? []
  if (attached !== undefined && method === 'PUT') {
    const document = await documents.get({ id: attached }, { consistent: true })
    if (document === undefined) {
      response.writeHead(404).end()
      return
    }
    const attachment = new Uint8Array(await bytesOf(request))
    await documents.put({ ...document, attachment, attachmentBytes: attachment.length })
    response.writeHead(204).end()
    return
  }
  if (attached !== undefined && method === 'GET') {
    const { attachment } = (await documents.get({ id: attached }, { attributes: ['attachment'] })) ?? {}
    if (attachment instanceof Uint8Array) response.writeHead(200).end(attachment)
    else response.writeHead(404).end()
    return
  }
  response.writeHead(404).end()
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await request.toArray())
}
