import { invalidOption, refuseUnknown, requireBoolean, requireObject } from '../../options/check.js'
import type { StoredItem } from '../read-items.js'
import type { AttributeNames } from './model/attribute-names.js'
import { requireName } from './model/keys.js'
import type { CheckProgress, ItemCheck } from './writing/check-items.js'

/** Options of `check`. */
export interface CheckOptions {
  /** Only items of this tenant. The whole table is read all the same. */
  readonly tenant?: string | undefined
  /** Whether what is wrong is put right. The default is `false`. */
  readonly repair?: boolean | undefined
  /** `startKey` of a check that was stopped. */
  readonly startKey?: object | undefined
  /** Stops the check behind the page that is compared. */
  readonly signal?: AbortSignal | undefined
  /** Called after each page of the scan. */
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined
}

/** @throws IsothermError `options.invalid` or `options.unknown` */
export function parseCheck(names: AttributeNames, options: CheckOptions): ItemCheck {
  requireObject('directory.check', options, 'an object of options, such as { repair: true }')
  refuseUnknown('directory.check', options, ['tenant', 'repair', 'startKey', 'signal', 'onProgress'])
  const { tenant, repair = false, startKey, signal, onProgress = () => {} } = options
  if (typeof onProgress !== 'function')
    throw invalidOption('directory.check.onProgress', onProgress, 'a function')
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw invalidOption('directory.check.signal', signal, 'an AbortSignal')
  return {
    tenant: tenant === undefined ? undefined : requireName('directory.check.tenant', tenant),
    repair: requireBoolean('directory.check.repair', repair),
    startKey: startKey === undefined ? undefined : requireStartKey(names, startKey),
    signal,
    onProgress,
  }
}

function requireStartKey({ id, dataType }: AttributeNames, startKey: object): StoredItem {
  const rule = `the startKey of a check, with the texts ${id} and ${dataType}`
  const key = requireObject('directory.check.startKey', startKey, rule) as StoredItem
  const isKey =
    Object.keys(key).length === 2 && [id, dataType].every((name) => typeof key[name]?.S === 'string')
  if (!isKey) throw invalidOption('directory.check.startKey', startKey, rule)
  return key
}
