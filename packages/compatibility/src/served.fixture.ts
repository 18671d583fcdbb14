import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createLocal, type LocalOptions } from '@isotherm/local'

/** An engine behind its HTTP door, and what a client is told to find it. */
export interface Served {
  readonly url: string
  /** What every client of the AWS SDK for JavaScript takes; nothing is looked up in the environment. */
  readonly settings: {
    readonly endpoint: string
    readonly region: string
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  }
  /** The same tables without a socket. */
  inProcess(): DynamoDBClient
  /** A client of its own for looking behind the library's back; closed with the engine. */
  readonly client: DynamoDBClient
  stop(): Promise<void>
}

/** A fresh engine for the tests of one client, on any free port of loopback. */
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
