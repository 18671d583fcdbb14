import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { counter } from 'isotherm/counter'

const VOTE = /^\/campaigns\/([\w-]{1,100})\/votes\/([\w-]{1,100})$/
const RESULT = /^\/campaigns\/([\w-]{1,100})$/

/**
 * Counts votes. Each voter has one vote for each campaign, however often the request is sent.
 *
 *     PUT /campaigns/summer/votes/voter-4711    201 the vote counts, 200 it was counted before
 *     GET /campaigns/summer                     { "votes": 1 }
 *
 * A campaign that everybody votes for at once gets more shards by itself.
 *
 * @param table has the partition key `id`, and time to live by `expires_at`
 */
export function votesServer(db: DynamoDBClient, table: string): Server {
  const votesOf = (campaign: string) =>
    counter(db, { table, partitionKey: 'id', key: `votes/${campaign}`, tokenTtl: '2160h' })

  const answer = async ({ method, url = '' }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, campaign, voter] = VOTE.exec(url) ?? []
    if (method === 'PUT' && campaign !== undefined && voter !== undefined) {
      const { isNew } = await votesOf(campaign).add(1, { token: voter })
      response.writeHead(isNew ? 201 : 200).end()
      return
    }
    const [, shown] = RESULT.exec(url) ?? []
    if (method === 'GET' && shown !== undefined) {
      const votes = await votesOf(shown).value()
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ votes }))
      return
    }
    response.writeHead(404).end()
  }

  return createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error)
      response.writeHead(503).end()
    })
  })
}
