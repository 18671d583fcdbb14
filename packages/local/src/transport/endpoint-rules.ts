import { isObject, listOf, membersOf, positive, type RulesOf, text } from '../options/rules.js'
import type { EndpointTimeouts } from './endpoint-timeouts.js'
import type { EndpointOptions } from './http-endpoint.js'

const TIMEOUTS: RulesOf<EndpointTimeouts> = {
  headersMilliseconds: positive,
  requestMilliseconds: positive,
  idleMilliseconds: positive,
  silenceMilliseconds: positive,
}

/** The rules of `listen`. */
export const ENDPOINT: RulesOf<EndpointOptions> = {
  port: {
    text: 'a whole number from 0 to 65535; 0 takes any that is free',
    fits: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
  },
  host: text,
  allowedHosts: listOf('a list of names', (name) => text.fits(name)),
  credentials: {
    ...listOf(
      'a list of access keys with accessKeyId and secretAccessKey',
      (key) => isObject(key) && text.fits(key.accessKeyId) && text.fits(key.secretAccessKey),
    ),
    isSecret: true,
  },
  timeouts: membersOf(TIMEOUTS),
  site: { text: 'the pages of a console', fits: isObject },
}
