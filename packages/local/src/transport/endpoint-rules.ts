import {
  elementsOf,
  having,
  isObject,
  listOf,
  membersOf,
  type Rule,
  type RulesOf,
  text,
  whole,
} from '../options/rules.js'
import type { EndpointTimeouts } from './endpoint-timeouts.js'
import type { EndpointOptions } from './http-endpoint.js'
import { isHostName } from './trusted-host.js'

/** Node keeps no timer for longer. */
const LONGEST_MILLISECONDS = 2 ** 31 - 1
const timeout: Rule = {
  text: `a whole number from 0 to ${LONGEST_MILLISECONDS}; 0 is no limit`,
  fits: whole(0, LONGEST_MILLISECONDS).fits,
}

const TIMEOUTS: RulesOf<EndpointTimeouts> = {
  headersMilliseconds: timeout,
  requestMilliseconds: timeout,
  idleMilliseconds: timeout,
  silenceMilliseconds: timeout,
}

/** The rules of `listen`. */
export const ENDPOINT: RulesOf<EndpointOptions> = {
  port: {
    text: 'a whole number from 0 to 65535; 0 takes any that is free',
    fits: whole(0, 65_535).fits,
  },
  host: text,
  allowedHosts: elementsOf('a list of names', {
    text: 'a name without scheme and port, such as dynamodb',
    fits: isHostName,
  }),
  credentials: {
    ...listOf(
      'a list of access keys with accessKeyId and secretAccessKey',
      (key) => isObject(key) && text.fits(key.accessKeyId) && text.fits(key.secretAccessKey),
    ),
    isSecret: true,
  },
  timeouts: membersOf(TIMEOUTS),
  site: having('the pages of a console, with path, serve() and close()', 'serve', 'close'),
}
