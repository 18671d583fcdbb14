import { afterEach, describe, expect, it } from 'vitest'
import { createLocal, type Local } from '../local.js'
import { exchange, post } from './raw-client.behaviour.js'

let local: Local | undefined
afterEach(() => local?.close())

const ALLOWED = ['DynamoDB', 'fe80::a', '[FE80::B]', 'my_service.internal']

/** The answer to a request with these headers. */
async function answerTo(headers: Record<string, string>, allowedHosts: readonly string[] = ALLOWED) {
  local = createLocal()
  const { port } = await local.listen({ port: 0, allowedHosts })
  const [answer] = await exchange(port, [post('ListTables', '{}', { connection: 'close', ...headers })])
  return answer
}

describe('the host of a request', () => {
  it.each([
    'dynamodb',
    'dynamodb:8000',
    'DYNAMODB',
    '[fe80::a]:8000',
    '[fe80::b]',
    'my_service.internal',
    'localhost:1',
    '[::1]:8000',
  ])('may be %s', async (host) => {
    expect((await answerTo({ host }))?.status).toBe(200)
  })

  it('is named when it is refused, with what allows it', async () => {
    const answer = await answerTo({ host: 'ddb.internal:8011' })
    expect(answer?.status).toBe(403)
    expect(JSON.parse(answer?.body ?? '').Message).toBe(
      "This endpoint does not serve the host 'ddb.internal:8011'. Call it as localhost, or allow the name: allowedHosts of listen and startLocal, --allow-host NAME of the command.",
    )
  })

  it('is shown without what no name has, and not at any length', async () => {
    const marked = await answerTo({ host: `<script>'"\xe9{}` })
    expect(marked?.body ?? '').toMatch(/the host '\?script\?+'\./)
    await local?.close()
    const long = await answerTo({ host: 'a'.repeat(5_000) })
    expect(JSON.parse(long?.body ?? '').Message).toContain(`'${'a'.repeat(100)}...'.`)
  })

  it('is told from the page that asks', async () => {
    const answer = await answerTo({ host: 'localhost', origin: 'http://rebound.example' })
    expect(answer?.status).toBe(403)
    expect(answer?.body).toContain("does not answer pages of 'http://rebound.example'.")
  })
})
