import { expect, it } from 'vitest'
import { installedBytes, MAX_INSTALLED_BYTES } from './installed-size.js'

it('the command and everything that it needs stay within their budget on a disk', async () => {
  const { own, sdk, others } = await installedBytes()
  // All three were found: a sum without one of them would always be small enough.
  for (const part of [own, sdk, others]) expect(part).toBeGreaterThan(1_000_000)
  expect(own + sdk + others).toBeLessThanOrEqual(MAX_INSTALLED_BYTES)
}, 300_000)
