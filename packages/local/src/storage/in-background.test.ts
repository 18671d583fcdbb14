import { expect, it, vi } from 'vitest'
import { inBackground } from './in-background.js'

it('handles the failure of a write that nothing waits for, which would end the process', async () => {
  const written = Promise.reject(new Error('The disk is full.'))
  const handled = vi.spyOn(written, 'catch')
  inBackground(written)
  expect(handled).toHaveBeenCalledOnce()
  await expect(handled.mock.results[0]?.value).resolves.toBeUndefined()
})

it('takes a write that is done already', () => {
  expect(() => inBackground(undefined)).not.toThrow()
})
