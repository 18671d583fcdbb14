import { ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLocal, type Local } from '../index.js'

type Handler = (args: never) => Promise<unknown>

/** Where middleware is added, in the order in which it should be called. */
const PLACES = [
  { step: 'initialize', priority: 'high' },
  { step: 'initialize' },
  { relation: 'before', toMiddleware: 'serializerMiddleware' },
  { relation: 'after', toMiddleware: 'serializerMiddleware' },
  { step: 'build' },
  { relation: 'after', toMiddleware: 'retryMiddleware' },
  { step: 'finalizeRequest', priority: 'low' },
] as const

describe('middleware of a client in the process of its engine', () => {
  let local: Local
  let called: string[]
  beforeEach(() => {
    local = createLocal()
    called = []
  })
  afterEach(() => local.close())

  const noting = (name: string) => (next: Handler) => (args: never) => {
    called.push(name)
    return next(args)
  }

  function add(stack: ReturnType<Local['client']>['middlewareStack'], place: object, name: string): void {
    const options = { ...place, name } as never
    if ('relation' in place) stack.addRelativeTo(noting(name) as never, options)
    else stack.add(noting(name) as never, options)
  }

  it('is called in the order of its places, with that of commands, for each request', async () => {
    const client = local.client()
    await client.send(new ListTablesCommand({}))
    for (const [at, place] of [...PLACES.entries()].reverse()) add(client.middlewareStack, place, `${at}`)
    for (let request = 0; request < 3; request++) {
      const command = new ListTablesCommand({})
      for (const [at, place] of PLACES.entries())
        if (!('relation' in place)) add(command.middlewareStack as never, place, `${at} of ${request}`)
      called.length = 0
      await client.send(command)
      const expected = PLACES.flatMap((place, at) =>
        'relation' in place ? [`${at}`] : [`${at}`, `${at} of ${request}`],
      )
      expect(called).toEqual(expected)
    }
  })

  it('is what the client and the command have when it is sent', async () => {
    const client = local.client()
    const send = async (command = new ListTablesCommand({})) => {
      called.length = 0
      await client.send(command)
      return [...called]
    }
    expect(await send()).toEqual([])
    add(client.middlewareStack, { step: 'build', tags: ['late'] }, 'late')
    expect(await send()).toEqual(['late'])
    const own = new ListTablesCommand({})
    add(own.middlewareStack as never, { step: 'initialize' }, 'own')
    expect(await send(own)).toEqual(['own', 'late'])
    expect(await send()).toEqual(['late'])
    const other = new ListTablesCommand({})
    add(other.middlewareStack as never, { step: 'finalizeRequest' }, 'own')
    expect(await send(other)).toEqual(['late', 'own'])
    client.middlewareStack.removeByTag('late')
    expect(await send()).toEqual([])
    client.middlewareStack.use({
      applyToStack: (stack) => add(stack as never, { step: 'serialize' }, 'plugin'),
    })
    expect(await send()).toEqual(['plugin'])
    client.middlewareStack.remove('plugin')
    expect(await send()).toEqual([])
  })

  it('is replaced by middleware of a command that overrides it', async () => {
    const client = local.client()
    add(client.middlewareStack, { step: 'build' }, 'same')
    for (let request = 0; request < 2; request++) {
      const command = new ListTablesCommand({})
      command.middlewareStack.add(noting(`over ${request}`) as never, {
        step: 'build',
        name: 'same',
        override: true,
      })
      called.length = 0
      await client.send(command)
      expect(called).toEqual([`over ${request}`])
    }
  })

  it('is called for a document client of it, before and after requests of its own', async () => {
    const client = local.client()
    const document = DynamoDBDocumentClient.from(client)
    add(client.middlewareStack, { step: 'build' }, 'both')
    for (let round = 0; round < 2; round++) {
      await document.send(new ListTablesCommand({}))
      await client.send(new ListTablesCommand({}))
    }
    expect(called).toEqual(['both', 'both', 'both', 'both'])
  })

  it('is refused where its name is taken, or its neighbour is missing', async () => {
    const client = local.client()
    for (let request = 0; request < 2; request++) {
      const twice = new ListTablesCommand({})
      add(twice.middlewareStack as never, { step: 'build' }, 'serializerMiddleware')
      await expect((async () => client.send(twice))()).rejects.toThrow('Duplicate middleware name')
      const lonely = new ListTablesCommand({})
      add(lonely.middlewareStack as never, { relation: 'after', toMiddleware: 'nobody' }, 'lonely')
      await expect((async () => client.send(lonely))()).rejects.toThrow('nobody is not found')
    }
    await client.send(new ListTablesCommand({}))
  })
})
