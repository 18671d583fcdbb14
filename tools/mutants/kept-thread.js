import { ThreadsPoolWorker } from 'vitest/node'

/** Each run leaves a listener in the thread. */
const RUNS_OF_A_THREAD = 200

/** A pool of Vitest with one thread that stays for the next run, with all modules that it has loaded. */
export function keptThread() {
  let kept
  let runs = 0
  let isFree = Promise.resolve()

  async function drop() {
    const thread = kept
    kept = undefined
    runs = 0
    await thread?.terminate()
  }

  async function end() {
    await isFree
    await drop()
  }

  class KeptThread extends ThreadsPoolWorker {
    name = 'kept'
    #listeners = []
    #isAsked = false
    #free = () => {}

    async start() {
      // Vitest starts the next run before the one before has stopped.
      const before = isFree
      isFree = new Promise((resolve) => {
        this.#free = resolve
      })
      await before
      if (runs >= RUNS_OF_A_THREAD) await drop()
      runs += 1
      this._thread = kept
      kept = undefined
      await super.start()
    }

    on(event, listener) {
      this.#listeners.push([event, listener])
      super.on(event, listener)
    }

    send(message) {
      if (message?.type !== 'stop') return super.send(message)
      this.#isAsked = true
      const stopped = { type: 'stopped', __vitest_worker_response__: true }
      for (const [event, listener] of this.#listeners) if (event === 'message') listener(stopped)
    }

    async stop() {
      // It is not asked to where Vitest gives up on it.
      if (!this.#isAsked) {
        await super.stop()
        return this.#free()
      }
      const thread = this._thread
      for (const [event, listener] of this.#listeners) thread.off(event, listener)
      thread.stdout.unpipe(this.stdout)
      thread.stderr.unpipe(this.stderr)
      this.stdout.setMaxListeners(this.stdout.getMaxListeners() - 1)
      this.stderr.setMaxListeners(this.stderr.getMaxListeners() - 1)
      this._thread = undefined
      kept = thread
      this.#free()
    }
  }

  return { pool: { name: 'kept', createPoolWorker: (options) => new KeptThread(options) }, end }
}
