import { connect } from 'node:net'
import { SystemClock } from '@isotherm/runtime'
import { Tally } from '../measurement.js'
import { type AnswerReader, HttpAnswerReader, RedisAnswerReader } from './answer-reader.js'
import type { LoadOrder, LoadReport } from './load-order.js'
import { preparedRequests } from './prepared-requests.js'

/*
 * The generator of load, a process of its own. It sends prepared bytes over plain sockets, and reads answers only as far as
 * their length, so that the contestant is measured and not this process.
 */

const HOST = '127.0.0.1'
const READ_BYTES = 256 * 1_024

const clock = new SystemClock()

async function drive(order: LoadOrder): Promise<LoadReport> {
  const requests = preparedRequests(order)
  const tally = new Tally()
  const cpu = process.cpuUsage()
  const from = clock.now()
  const { end, limit } = endOf(order, from, requests.length)
  let sent = 0
  let first = ''
  const connection = () =>
    new Promise<void>((resolve, reject) => {
      const reader: AnswerReader =
        order.protocol === 'http' ? new HttpAnswerReader() : new RedisAnswerReader()
      let began = 0
      const send = () => {
        began = clock.now()
        socket.write(requests[sent++ % requests.length] ?? '')
      }
      const next = () => {
        if (clock.now() >= end || sent >= limit) socket.end()
        else send()
      }
      const received = (bytes: number, memory: Uint8Array) => {
        try {
          const answer = reader.read(Buffer.from(memory.buffer, memory.byteOffset, bytes))
          if (answer === undefined) return true
          tally.add(clock.now() - began)
          if (first === '') first = answer.toString()
          next()
        } catch (error) {
          reject(error)
          socket.destroy()
        }
        return true
      }
      // Every piece is read into the same memory, which leaves nothing to collect.
      const onread = { buffer: Buffer.alloc(READ_BYTES), callback: received }
      const socket = connect({ port: order.port, host: HOST, noDelay: true, onread })
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('close', () => resolve())
    })
  await Promise.all(Array.from({ length: order.connections }, connection))
  const { user, system } = process.cpuUsage(cpu)
  return {
    requests: tally.count,
    seconds: (clock.now() - from) / 1_000,
    p50: tally.percentile(0.5),
    p99: tally.percentile(0.99),
    microseconds: user + system,
    answer: first,
  }
}

function endOf({ until }: LoadOrder, from: number, prepared: number): { end: number; limit: number } {
  if (until === 'all are sent') return { end: Number.POSITIVE_INFINITY, limit: prepared }
  if ('requests' in until) return { end: Number.POSITIVE_INFINITY, limit: until.requests }
  return { end: from + until.seconds * 1_000, limit: Number.POSITIVE_INFINITY }
}

process.on('message', async (order: LoadOrder) => {
  try {
    process.send?.(await drive(order))
  } catch (error) {
    process.send?.({ failure: error instanceof Error ? error.message : String(error) })
  }
})
process.on('disconnect', () => process.exit())
