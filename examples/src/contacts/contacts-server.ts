import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { IsothermError } from 'isotherm'
import type { ContactBook } from './contact-book.js'

/** The page's files, from the sources and from the compiled code. */
const PAGE = new URL('../../src/contacts/page/', import.meta.url)
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
}

const PER_PAGE = 20
const MAX_BODY_BYTES = 10_000

/**
 * Serves the contacts of one tenant: a page with a search box, and what the page asks for.
 *
 *     GET  /contacts                            the newest contacts
 *     GET  /contacts?text=yama                  contacts by the beginning of a name, company, phone number or category
 *     GET  /contacts?text=ama&match=substring   contacts by any part of them, with the places that match
 *     POST /contacts                            creates one: { "name": "Ann", "company": "Acme", "phone": "03-1234-5678" }
 *
 * Each page of an answer has a `cursor`, as long as there may be more.
 */
export function contactsServer(book: ContactBook, tenant: string): Server {
  const contacts = book.tenant(tenant)

  const found = async (query: URLSearchParams) => {
    const [text = '', cursor] = [query.get('text') ?? '', query.get('cursor') ?? undefined]
    if (text.trim() === '') {
      const { items, cursor: next } = await contacts.list({ limit: PER_PAGE, cursor })
      return { contacts: items, cursor: next }
    }
    const match = query.get('match') === 'substring' ? 'substring' : 'prefix'
    const page = await contacts.search(text, { match, limit: PER_PAGE, cursor })
    return {
      contacts: page.hits.map(({ item, highlights }) => ({ ...item, highlights })),
      cursor: page.cursor,
    }
  }

  const create = async (request: IncomingMessage) => {
    if (Number(request.headers['content-length'] ?? MAX_BODY_BYTES + 1) > MAX_BODY_BYTES) return undefined
    // The directory checks each field, and refuses others.
    return contacts.create((await json(request)) as { name: string })
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const [file, type] = FILES[pathname] ?? []
    if (request.method === 'GET' && file !== undefined) {
      response.writeHead(200, {
        'content-type': type,
        'content-security-policy': "default-src 'self'; img-src data:",
      })
      response.end(await readFile(new URL(file, PAGE)))
    } else if (request.method === 'GET' && pathname === '/contacts') {
      send(response, 200, await found(searchParams))
    } else if (request.method === 'POST' && pathname === '/contacts') {
      const created = await create(request)
      if (created === undefined)
        send(response, 413, { error: `A contact has up to ${MAX_BODY_BYTES} bytes.` })
      else send(response, 201, created)
    } else send(response, 404, { error: `There is no ${request.method} ${pathname}.` })
  }

  return createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // Of the library's errors, these are about what the user has sent.
      const isCaller = error instanceof IsothermError && /^(options|search|pattern)\./.test(error.code)
      if (isCaller) return send(response, 400, { error: error.message })
      if (error instanceof SyntaxError) return send(response, 400, { error: 'The body must be JSON.' })
      console.error(error)
      send(response, 503, { error: 'The contacts cannot be reached.' })
    })
  })
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
