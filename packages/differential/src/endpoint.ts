import { Agent, request } from 'node:http'

/** The response of an endpoint. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** An endpoint that speaks DynamoDB's protocol. */
export interface Endpoint {
  ask(operation: string, input: unknown): Promise<Answer>
  close(): void
}

/** Both sides separate tables by the signature's region, and DynamoDB Local by its access key too. */
const AUTHORIZATION =
  'AWS4-HMAC-SHA256 Credential=differential/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0'

/**
 * An endpoint on this machine, called without an SDK: an SDK would refuse or correct requests that are wrong on
 * purpose.
 */
export function endpointAt(port: number): Endpoint {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    ask: (operation, input) => ask(agent, port, operation, JSON.stringify(input)),
    close: () => agent.destroy(),
  }
}

function ask(agent: Agent, port: number, operation: string, text: string): Promise<Answer> {
  const body = Buffer.from(text)
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': body.length,
    'x-amz-target': `DynamoDB_20120810.${operation}`,
    authorization: AUTHORIZATION,
  }
  return new Promise((resolve, reject) => {
    const call = request(
      { agent, host: '127.0.0.1', port, method: 'POST', path: '/', headers },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: parsed(Buffer.concat(chunks).toString('utf8')) })
        })
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
