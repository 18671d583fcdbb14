import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInstalled, run } from './installed.fixture.js'
import { type Served, serve } from './served.fixture.js'

/** PartiQL is the newest thing that the session uses: boto3 1.16.24 brought it. */
const PROBE = "import boto3; boto3.client('dynamodb', region_name='eu-central-1').execute_statement"
/** Debian's boto3 needs Debian's own Python; another one can come first on the path. */
const python = ['/usr/bin/python3', 'python3'].find((each) => isInstalled(each, '-c', PROBE))
const script = fileURLToPath(new URL('../python/boto3_session.py', import.meta.url))

describe.skipIf(python === undefined)(
  'boto3 (skipped where Python has no boto3 1.16.24 or later: install python3-boto3)',
  () => {
    let served: Served
    let seen: Record<string, unknown>

    beforeAll(async () => {
      served = await serve()
      const { code, stdout, stderr } = await run(String(python), [script, served.url])
      expect(code, stderr).toBe(0)
      seen = JSON.parse(stdout)
    })

    afterAll(() => served.stop())

    it('creates a table with a waiter, a time to live and tags', () => {
      expect(seen).toMatchObject({
        status: 'ACTIVE',
        tables: ['movies'],
        ttl: { TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' },
        tags: [{ Key: 'stage', Value: 'test' }],
      })
    })

    it('keeps every type of Python, updates them, and raises errors by their codes', () => {
      expect(seen.round_trip).toBe(true)
      expect(seen.updated).toEqual(['8.75', ['Ash', 'Jones', 'Ripley'], 'space', false])
      expect(seen.condition).toEqual({
        Code: 'ConditionalCheckFailedException',
        Message: 'The conditional request failed',
      })
      expect(seen.invalid).toMatchObject({ Code: 'ValidationException' })
    })

    it('writes with its batch writer and reads with its paginators', () => {
      expect(seen.batch).toBe(64)
      expect(seen.begins).toEqual(['Movie 009', 'Movie 007', 'Movie 005', 'Movie 003', 'Movie 001'])
      expect(seen.index).toEqual(['Movie 050', 'Movie 060', 'Movie 070', 'Movie 080'])
      expect(seen.scanned).toEqual([130, 50])
      expect(seen.limited).toBe(20)
      expect(seen.batch_get).toEqual([['Alien'], {}])
    })

    it('runs transactions with tokens, and statements', () => {
      expect(seen.mismatch).toBe('IdempotentParameterMismatchException')
      expect(seen.cancelled).toEqual(['TransactionCanceledException', ['None', 'ConditionalCheckFailed']])
      expect(seen.transaction).toEqual([{ S: 'Aliens' }, null])
      expect(seen.partiql).toEqual([{ title: { S: 'Matrix' } }])
    })

    it('reads the stream of everything that changed', () => {
      expect(seen.stream).toBe(true)
      expect(seen.changes).toEqual(['INSERT', 'MODIFY'])
      expect(seen.images).toEqual([{ N: '8.5' }, { N: '8.75' }])
      // One new and one changed, 130 in batches of which one was deleted, one in a transaction, one by a statement.
      expect(seen.records).toBe(135)
    })

    it('deletes the table, and waits until it is gone', () => {
      expect(seen.gone).toMatchObject({ Code: 'ResourceNotFoundException' })
    })
  },
)
