import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createLocal, type LocalOptions } from '@isotherm/local'

/** An engine behind its HTTP endpoint, and the settings that clients need. */
export interface Served {
  readonly url: string
  /** The settings for every client of the AWS SDK for JavaScript; nothing is taken from the environment. */
  readonly settings: {
    readonly endpoint: string
    readonly region: string
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  }
  /** A client for the same tables without a socket. */
  inProcess(): DynamoDBClient
  /** A separate client that bypasses the library; it is closed with the engine. */
  readonly client: DynamoDBClient
  stop(): Promise<void>
}

/** A new engine for the tests of one client, on any free port of loopback. */
export async function serve(options: LocalOptions = {}): Promise<Served> {
  const local = createLocal(options)
  const { url } = await local.listen({ port: 0 })
  const settings = {
    endpoint: url,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  }
  const client = new DynamoDBClient(settings)
  return {
    url,
    settings,
    inProcess: () => local.client({ region: settings.region }),
    client,
    stop: async () => {
      client.destroy()
      await local.close()
    },
  }
}
