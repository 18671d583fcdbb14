import { expect, it } from 'vitest'
import { perCent } from './per-cent.js'

it('says 0 % and 100 % of nothing else', () => {
  const shares = [0, 0.00001, 0.0026, 0.0099, 0.01, 0.6242, 0.99, 0.9999, 1]
  expect(shares.map(perCent)).toEqual([
    '0 %',
    'under 0.01 %',
    '0.26 %',
    '0.99 %',
    '1.0 %',
    '62.4 %',
    '99.0 %',
    'over 99.9 %',
    '100 %',
  ])
})
