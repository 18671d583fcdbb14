import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ENDING_SIGNALS } from './interruption.js'
import { isotherm } from './isotherm.fixture.js'
import { main } from './main.js'

const APPLICATION = { accessKeyId: 'AKIAAPPLICATION', secretAccessKey: 'application-secret-wJalrXUtnFEMI' }
const UPSTREAM = { accessKeyId: 'AKIAUPSTREAM', secretAccessKey: 'upstream-secret-K7MDENGbPxRfi' }
const WRONG = { accessKeyId: APPLICATION.accessKeyId, secretAccessKey: 'wrong-secret-CYEXAMPLEKEY' }
const UNKNOWN = { accessKeyId: 'AKIAUNKNOWN', secretAccessKey: 'unknown-secret-je7MtGbClwBF' }
const SESSION = { ...APPLICATION, sessionToken: 'session-token-FwoGZXIvYXdzEBY' }
const WRONG_SESSION = { ...WRONG, sessionToken: 'wrong-token-IQoJb3JpZ2luX2Vj' }

const SECRETS = [
  ...[APPLICATION, UPSTREAM, WRONG, UNKNOWN].map(({ secretAccessKey }) => secretAccessKey),
  ...[SESSION, WRONG_SESSION].map(({ sessionToken }) => sessionToken),
]

const folder = mkdtempSync(join(tmpdir(), 'isotherm-secrets-'))
const fileOf = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const profile = (name: string, keys: typeof APPLICATION) =>
  `[${name}]\naws_access_key_id = ${keys.accessKeyId}\naws_secret_access_key = ${keys.secretAccessKey}\n`
const credentials = fileOf('credentials', profile('application', APPLICATION) + profile('upstream', UPSTREAM))
const trace = join(folder, 'trace.jsonl')

beforeAll(() => {
  const own = profile('application', SESSION) + profile('upstream', UPSTREAM) + profile('wrong', WRONG)
  vi.stubEnv(
    'AWS_SHARED_CREDENTIALS_FILE',
    fileOf('own', `${own}aws_session_token = ${WRONG_SESSION.sessionToken}\n`),
  )
  vi.stubEnv('AWS_REGION', 'us-east-1')
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

class Collected extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

/** A command that runs until Ctrl-C, in this process. */
async function running(...args: readonly string[]) {
  const [out, err] = [new Collected(), new Collected()]
  const ended = main(args, { out, err, display: undefined })
  const first = () => {
    expect(out.text, err.text).toContain('\n')
    return JSON.parse(out.text.split('\n')[0] ?? '') as { readonly url: string }
  }
  const { url } = await vi.waitFor(first, { timeout: 60_000 })
  return { url, ended, said: () => out.text + err.text }
}

/** Errors of requests, as an application logs them. */
async function refusals(url: string): Promise<string> {
  const texts: string[] = []
  for (const keys of [WRONG, UNKNOWN, WRONG_SESSION]) {
    const client = new DynamoDBClient({
      region: 'us-east-1',
      endpoint: url,
      credentials: keys,
      maxAttempts: 1,
    })
    const Key = { pk: { S: 'a' }, at: { S: '1' } }
    await client.send(new GetItemCommand({ TableName: 'log', Key })).then(
      () => expect.unreachable('The request succeeded.'),
      (error: Error) => texts.push(`${error}`),
    )
    client.destroy()
  }
  const headers = {
    'x-amz-target': 'DynamoDB_20120810.ListTables',
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-security-token': SESSION.sessionToken,
    authorization: `AWS4-HMAC-SHA256 Credential=${APPLICATION.accessKeyId}/20260101/us-east-1/dynamodb/aws4_request`,
  }
  texts.push(await (await fetch(url, { method: 'POST', headers, body: '{}' })).text())
  for (const path of ['/', '/health', '/metrics']) texts.push(await (await fetch(`${url}${path}`)).text())
  return texts.join('\n')
}

function expectNoSecret(where: string, text: string): void {
  for (const secret of SECRETS) expect(text.includes(secret), `${where} has ${secret}: ${text}`).toBe(false)
}

describe('secret keys and session tokens', () => {
  it('are in no output, trace or error of the engine and the proxy', async () => {
    const before = ENDING_SIGNALS.map((name) => [name, process.listeners(name)] as const)
    const local = await running(
      'local',
      '--port',
      '0',
      '--credentials',
      credentials,
      '--trace',
      trace,
      '--json',
    )
    const config = (profileName: string) =>
      fileOf(
        `${profileName}.yaml`,
        `region: us-east-1\nprofile: ${profileName}\ncallers: { credentialsFile: ${credentials} }\n` +
          'tables: { log: { partitionKey: pk, sortKey: at, suffix: random, shards: { fixed: 2 } } }\n',
      )
    const proxied = (profileName: string, upstream: string) =>
      running('proxy', '--config', config(profileName), '--upstream', upstream, '--port', '0', '--json')
    const proxy = await proxied('upstream', local.url)
    const refused = await proxied('wrong', local.url)
    const alone = await proxied('upstream', 'http://127.0.0.1:9')
    const answers: string[] = []
    for (const url of [local.url, proxy.url]) {
      const client = new DynamoDBClient({ region: 'us-east-1', endpoint: url, credentials: SESSION })
      const Item = { pk: { S: 'traced-key' }, at: { S: '1' } }
      const command =
        url === local.url ? createTable('log', ['pk', 'at']) : new PutItemCommand({ TableName: 'log', Item })
      await client.send(command as PutItemCommand)
      client.destroy()
      answers.push(await refusals(url))
    }
    // Failures of the proxy itself: its own credentials are wrong, and its upstream cannot be reached.
    for (const { url } of [refused, alone]) {
      const client = new DynamoDBClient({
        region: 'us-east-1',
        endpoint: url,
        credentials: SESSION,
        maxAttempts: 1,
      })
      for (const TableName of ['log', 'plain']) {
        const Item = { pk: { S: 'a' }, at: { S: '1' } }
        const error = await client
          .send(new PutItemCommand({ TableName, Item }))
          .catch((error: Error) => error)
        expect(error).toBeInstanceOf(Error)
        answers.push(`${error}`)
      }
      client.destroy()
    }
    process.emit('SIGINT', 'SIGINT')
    const commands = { local, proxy, refused, alone }
    for (const [name, { ended, said }] of Object.entries(commands)) {
      expect(await ended, said()).toBe(0)
      expectNoSecret(`the output of ${name}`, said())
    }
    for (const [name, listeners] of before) {
      for (const listener of process.listeners(name)) {
        if (!(listeners as readonly unknown[]).includes(listener)) process.off(name, listener)
      }
    }
    const recorded = readFileSync(trace, 'utf8')
    expect(recorded).toContain('traced-key')
    expectNoSecret('the trace', recorded)
    expect(answers.join('\n')).toMatch(/InvalidSignature|UnrecognizedClient/)
    expect(alone.said()).toMatch(/cannot be reached|ECONNREFUSED/)
    for (const answer of answers) expectNoSecret('an answer', answer)
  })

  it.each([
    [
      'local',
      '--port',
      '0',
      '--credentials',
      fileOf('half', `[a]\naws_secret_access_key = ${WRONG.secretAccessKey}\n`),
    ],
    [
      'local',
      '--port',
      '0',
      '--credentials',
      fileOf('odd', `aws_secret_access_key ${WRONG.secretAccessKey}\n`),
    ],
    ['proxy', '--config', fileOf('odd.yaml', `callers: { secretAccessKey: x }\ntables: {}\n`)],
    ['export', join(folder, 'x'), '--table', 'log', '--endpoint', 'http://127.0.0.1:9', '--profile', 'wrong'],
    ['hot', '--table', 'log', '--endpoint', 'http://127.0.0.1:9', '--profile', 'application'],
    ['shards', 'list', '--table', 'log', '--endpoint', 'http://127.0.0.1:9', '--profile', 'none'],
  ])('are in no error of a command that fails: %s %s %s %s', async (...args) => {
    const { code, out, err } = await isotherm(...args)
    expect(code).not.toBe(0)
    expect(err).not.toBe('')
    expectNoSecret('the output', out + err)
  })
})
