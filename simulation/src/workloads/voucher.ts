import { Violation } from '../world/violation.js'
import type { Attributes } from './item-operations.js'

/** What is known of one voucher from outside. */
export interface Voucher {
  readonly code: string
  readonly key: Attributes
  readonly about: readonly string[]
  /** Whether its registration is over for sure: a batch that may still arrive puts it back. */
  isRegistered: boolean
  /** When no batch can arrive any more, where nobody was told what became of its registration. */
  overAt: number
  /** Who has it, from the answer to the claim until it is given back for sure. */
  holder: Holder | undefined
  /** Claims and givings back that may be carried out at this moment, and how often they began and ended. */
  underWay: number
  changes: number
  /** Whether a claim of which nobody knows may have been carried out since it was claimed last. */
  mayBeClaimed: boolean
}

export interface Holder {
  readonly process: string
  readonly claim: string
  /** It is given back, and that may be done; or it was used for good, and that is known to be done. */
  became?: 'given back' | 'used'
}

export function newVoucher(campaign: string, code: string): Voucher {
  return {
    code,
    key: { campaign: { S: campaign }, code: { S: code } },
    about: [campaign, code],
    isRegistered: false,
    overAt: Number.POSITIVE_INFINITY,
    holder: undefined,
    underWay: 0,
    changes: 0,
    mayBeClaimed: false,
  }
}

/** @returns a look at the item that was read meanwhile, which says nothing where somebody changed the voucher */
export function beforeReading(voucher: Voucher): (item: Attributes | undefined, readFrom: number) => void {
  const { isRegistered, holder, changes, underWay, overAt } = voucher
  const became = holder?.became
  return (item, readFrom) => {
    const isLeft = underWay === 0 && voucher.changes === changes
    if (!isRegistered) {
      if (item !== undefined && isLeft && overAt < readFrom) register(voucher, item)
      return
    }
    if (item === undefined)
      throw new Violation('no voucher is lost', `${nameOf(voucher)} is nowhere`, voucher.about)
    if (holder !== voucher.holder || became !== holder?.became) return
    if (holder !== undefined) checkHeld(voucher, holder, item)
    else if (isLeft && !voucher.mayBeClaimed) checkUnused(voucher, item)
  }
}

/** It is there, and no batch can put it back any more: whoever has claimed it by now has it, or what the item says. */
function register(voucher: Voucher, { claim }: Attributes): void {
  voucher.isRegistered = true
  if (claim?.S === voucher.holder?.claim) return
  voucher.holder = claim?.S === undefined ? undefined : { process: 'somebody', claim: claim.S }
}

/** @throws Violation where the table does not say what the holder knows */
function checkHeld(voucher: Voucher, { process, claim, became }: Holder, item: Attributes): void {
  if (became === 'given back') return
  if (item.claim?.S !== claim || item.unused !== undefined) {
    const seen = `${nameOf(voucher)} belongs to ${process} under ${claim}, and the table says ${textOf(item)}`
    throw new Violation('a voucher is in one hand', seen, voucher.about)
  }
  if (became !== 'used' || item.used_by?.S === claim) return
  const seen = `${nameOf(voucher)} was used by ${process} under ${claim}, and the table says ${textOf(item)}`
  throw new Violation('what was used stays used', seen, voucher.about)
}

/** @throws Violation where what was given back, or never claimed, is not there for others */
function checkUnused(voucher: Voucher, item: Attributes): void {
  if (item.unused !== undefined && item.claim === undefined) return
  const seen = `${nameOf(voucher)} is in no hand, and the table says ${textOf(item)}`
  throw new Violation('no voucher is lost', seen, voucher.about)
}

function nameOf({ about }: Voucher): string {
  return about.join(' ')
}

function textOf({ unused, claim, used_by }: Attributes): string {
  return `${unused === undefined ? 'not unused' : 'unused'}, claimed under ${claim?.S}, used under ${used_by?.S}`
}
