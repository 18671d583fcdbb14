import { FLEET_ATTRIBUTES, type FleetUpdate, type QuietReads } from '../../protocol/index.js'

/** Claims the next decision on a key, so that one process of the fleet counts what it would cost. */
export function claimOfDecision({ units, since, weighed }: QuietReads): FleetUpdate {
  const { quietSince, quietWeighed } = FLEET_ATTRIBUTES
  return {
    update: 'SET #weighed = :units',
    names: { '#since': quietSince, '#weighed': quietWeighed },
    values: {
      ':units': { N: String(units) },
      ':since': { N: String(since) },
      ':weighed': { N: String(weighed) },
    },
    condition: '#since = :since AND (attribute_not_exists(#weighed) OR #weighed = :weighed)',
  }
}
