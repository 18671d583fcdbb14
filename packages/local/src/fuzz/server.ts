import { createLocal } from '../local.js'
import { OPERATIONS } from '../operations/operations.js'

/** The endpoint to fuzz, in a separate process, so that it can crash or hang without the fuzzer. */
const [buckets = ''] = process.argv.slice(2)
const local = createLocal({
  throttle: false,
  buckets,
  onBug: (bug) => process.send?.({ bug: bug instanceof Error ? bug.stack : String(bug) }),
})
const { port } = await local.listen({ port: 0 })
process.send?.({ port, operations: OPERATIONS.size })
