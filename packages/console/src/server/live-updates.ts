import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@isotherm/runtime'
import type { HeatEvent } from '../api/heat-map.js'
import type { LiveTick } from '../api/live-tick.js'
import { ConsoleError } from './console-error.js'

/** Each costs a connection, and a page needs one. */
const MAX_SUBSCRIBERS = 32
/** A second of the history is complete once a second. */
const TICK_MILLISECONDS = 1_000
/** A page that reads no more is dropped when this much waits for it. A message has about 100 bytes. */
const MAX_WAITING_BYTES = 64 * 1024

/** Server-sent events: `tick` with a `LiveTick`, when another second is complete, and `event` with a `HeatEvent`. */
export class LiveUpdates {
  readonly #clock: Clock
  readonly #tickOf: () => LiveTick
  readonly #subscribers = new Set<ServerResponse>()
  #ticking: AbortController | undefined

  /** @param tickOf has the time of the figures, which may pass faster than the clock. It is called only while a page follows */
  constructor(clock: Clock, tickOf: () => LiveTick) {
    this.#clock = clock
    this.#tickOf = tickOf
  }

  /** @throws ConsoleError `live.full` */
  subscribe({ method }: IncomingMessage, response: ServerResponse): void {
    if (this.#subscribers.size >= MAX_SUBSCRIBERS) {
      const message = `${MAX_SUBSCRIBERS} pages follow this console, which is the maximum. Close one of them.`
      throw new ConsoleError('live.full', 503, message)
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    // It would wait for a body that never comes.
    if (method === 'HEAD') return void response.end()
    this.#subscribers.add(response)
    response.once('close', () => this.#leave(response))
    this.#send(response, 'tick', this.#tickOf())
    if (this.#ticking === undefined) this.#tick()
  }

  event(event: HeatEvent): void {
    for (const subscriber of this.#subscribers) this.#send(subscriber, 'event', event)
  }

  close(): void {
    for (const subscriber of this.#subscribers) subscriber.end()
    this.#subscribers.clear()
    this.#stop()
  }

  async #tick(): Promise<void> {
    const ticking = new AbortController()
    this.#ticking = ticking
    while (!ticking.signal.aborted) {
      try {
        await this.#clock.sleep(TICK_MILLISECONDS, ticking.signal, { mayEndProcess: true })
      } catch {
        return
      }
      const tick = this.#tickOf()
      for (const subscriber of this.#subscribers) this.#send(subscriber, 'tick', tick)
    }
  }

  #send(subscriber: ServerResponse, type: 'tick' | 'event', data: object): void {
    if (subscriber.writableLength > MAX_WAITING_BYTES) return void subscriber.destroy()
    subscriber.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  #leave(subscriber: ServerResponse): void {
    this.#subscribers.delete(subscriber)
    if (this.#subscribers.size === 0) this.#stop()
  }

  #stop(): void {
    this.#ticking?.abort(new Error('Nobody follows.'))
    this.#ticking = undefined
  }
}
