import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectTo } from './endpoint-client.js'

const LOOPBACK = new URL('http://127.0.0.1:8000')

describe('the region of an endpoint on this machine', () => {
  beforeEach(() => {
    // No profile of this machine may name one.
    for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/dev/null')
    vi.stubEnv('AWS_REGION', undefined)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('is that of the environment, as in every AWS tool', async () => {
    vi.stubEnv('AWS_REGION', 'eu-central-1')
    expect(await connectTo(LOOPBACK, undefined).config.region()).toBe('eu-central-1')
  })

  it('is that of the flag, if there is one', async () => {
    vi.stubEnv('AWS_REGION', 'eu-central-1')
    expect(await connectTo(LOOPBACK, 'ap-south-1').config.region()).toBe('ap-south-1')
  })

  it('is us-east-1 if nothing names one', async () => {
    expect(await connectTo(LOOPBACK, undefined).config.region()).toBe('us-east-1')
  })

  it('is us-east-1 if its variable is empty, as of a secret that is not set', async () => {
    vi.stubEnv('AWS_REGION', '')
    expect(await connectTo(LOOPBACK, undefined).config.region()).toBe('us-east-1')
  })

  it('is refused if it cannot be a region', async () => {
    vi.stubEnv('AWS_REGION', 'eu central')
    await expect(connectTo(LOOPBACK, undefined).config.region()).rejects.toThrow('eu central')
  })
})
