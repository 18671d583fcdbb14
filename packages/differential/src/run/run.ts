import { createLocal } from '@isotherm/local'
import { endpointAt } from '../endpoint.js'
import { startOracle } from '../oracle/start-oracle.js'
import { compare, type Findings } from './compare.js'

/** Starts both sides, compares them and stops them. */
export async function run(oracleFolder: string, seed: number, operations: number): Promise<Findings> {
  const local = createLocal({ throttle: false })
  const oracle = await startOracle(oracleFolder)
  try {
    const { port } = await local.listen({ port: 0 })
    const ours = endpointAt(port)
    try {
      return await compare({ ours, theirs: oracle.endpoint }, seed, operations)
    } finally {
      ours.close()
    }
  } finally {
    await oracle.stop()
    await local.close()
  }
}
