import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ScenarioError } from '../scenario-error.js'
import { type AccessRequest, parseAccessLog } from './access-log.js'

const HEADING = 'epoch_seconds\tclient\tmethod\tpath\tstatus\tbytes'

const field = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\t\r\n]/g, ''))
const request: fc.Arbitrary<AccessRequest> = fc.record({
  epochSeconds: fc.nat(2_000_000_000),
  client: field,
  method: field,
  path: field.map((text) => `/${text}`),
  status: fc.nat(999),
  bytes: fc.maxSafeNat(),
})

function written({ epochSeconds, client, method, path, status, bytes }: AccessRequest): string {
  return [epochSeconds, client, method, path, status, bytes].join('\t')
}

describe('any access log', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.array(request, { minLength: 1 }), (requests) => {
        expect(parseAccessLog([HEADING, ...requests.map(written), ''].join('\n')).requests).toEqual(requests)
      }),
    )
  })

  it('is read, or refused as a scenario refuses, whatever its text', () => {
    const text = fc.oneof(
      fc.string(),
      fc
        .string({ unit: fc.constantFrom('\t', '\n', '\r', '1', '-', 'x') })
        .map((rest) => `${HEADING}\n${rest}`),
    )
    fc.assert(
      fc.property(text, (anything) => {
        try {
          expect(parseAccessLog(anything).requests.length).toBeGreaterThan(0)
        } catch (error) {
          expect(error).toBeInstanceOf(ScenarioError)
        }
      }),
    )
  })
})
