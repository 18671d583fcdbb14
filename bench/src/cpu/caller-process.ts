import { Caller, type Transport } from './caller.js'
import { COMPARED_CALLS } from './compared-calls.js'

/** What one process of the benchmark sends. */
export interface CallerOrder {
  /** The index of the compared call. */
  readonly call: number
  readonly isSharded: boolean
  readonly transport: Transport
}

/*
 * One of the two processes whose costs are compared. With both clients in one process, the code of the SDK would be
 * optimised for both, and the plain call would cost more than it does for an application without the library.
 */
const { call, isSharded, transport }: CallerOrder = JSON.parse(process.argv[2] ?? '{}')
const compared = COMPARED_CALLS[call]
if (compared === undefined) throw new Error(`There is no call ${call}.`)
const caller = new Caller(compared, isSharded, transport)
process.on('message', async (calls: number) => {
  process.send?.(await caller.measure(calls))
})
process.on('disconnect', () => process.exit())
