import type { AnyCommand, PhysicalClient, SendOptions } from '../src/sdk/physical-client.js'

type Handler = (args: object) => Promise<{ readonly output: object }>

/** What the service does with one attempt: it answers, or fails. */
export type Answer = object | Error

/** A request as the client was given it. */
export interface ScriptedRequest {
  readonly command: AnyCommand
  readonly input: Readonly<Record<string, unknown>>
  readonly options: SendOptions | undefined
}

/** A client that gives these answers, one after the other, and the last one from then on. It never retries by itself. */
export class ScriptedClient {
  readonly requests: ScriptedRequest[] = []
  /** Called for each attempt that is sent. If it returns a promise, the attempt waits for it. */
  onAttempt: (request: ScriptedRequest) => unknown = () => {}
  readonly #answers: readonly Answer[]
  #attempts = 0

  constructor(...answers: readonly Answer[]) {
    this.#answers = answers
  }

  get attempts(): number {
    return this.#attempts
  }

  get client(): PhysicalClient {
    return { send: this.#send, config: {}, middlewareStack: {} } as unknown as PhysicalClient
  }

  readonly #send = async (command: AnyCommand, options: SendOptions | undefined): Promise<object> => {
    const request = { command, input: command.input as ScriptedRequest['input'], options }
    this.requests.push(request)
    let handler: Handler = async () => {
      await this.onAttempt(request)
      const answer = this.#answers[Math.min(this.#attempts, this.#answers.length - 1)] ?? {}
      this.#attempts += 1
      if (answer instanceof Error) throw answer
      return { output: answer }
    }
    const attempt = handler
    const add = (middleware: (next: Handler, context: object) => Handler) => {
      handler = middleware(attempt, {})
    }
    command.middlewareStack.applyToStack({
      add,
      addRelativeTo: add,
      identifyOnResolve: () => false,
    } as never)
    const { output } = await handler({})
    return output
  }
}

/** An answer with this many attempts of the SDK. */
export function answerWith(members: object = {}, attempts = 1): object {
  return { $metadata: { httpStatusCode: 200, attempts }, ...members }
}

/** An error of the service. */
export function serviceError(name: string, members: object = {}): Error {
  return Object.assign(new Error(name), { name, $metadata: { httpStatusCode: 400 }, ...members })
}

/** A request without a response. */
export function noResponse(): Error {
  return Object.assign(new Error('socket hang up'), { name: 'TimeoutError', $metadata: { attempts: 1 } })
}
