import { describe, expect, it } from 'vitest'
import { writeConcurrently } from './write-concurrently.js'

const turns = async (number: number) => {
  for (let turn = 0; turn < number; turn++) await Promise.resolve()
}

describe('members that are written concurrently', () => {
  it.each([1, 3, 10, 100])('are all processed, at most %i at a time', async (atATime) => {
    const done: number[] = []
    let under = 0
    let most = 0
    await writeConcurrently([...Array(20).keys()], atATime, async (member) => {
      most = Math.max(most, ++under)
      await turns(member % 7)
      under -= 1
      done.push(member)
    })
    expect(done.sort((a, b) => a - b)).toEqual([...Array(20).keys()])
    expect(most).toBe(Math.min(atATime, 20))
  })

  it.each([3, 20])(
    'are waited for when one fails, and no further ones are started: %i at a time',
    async (atATime) => {
      const ended: number[] = []
      const failing = writeConcurrently([...Array(20).keys()], atATime, async (member) => {
        await turns(member === 1 ? 1 : 20)
        ended.push(member)
        if (member < 3) throw new Error(`member ${member}`)
      })
      await expect(failing).rejects.toThrow('member 1')
      expect(ended).toHaveLength(atATime)
      await turns(100)
      expect(ended).toHaveLength(atATime)
    },
  )

  it('may be none', async () => {
    await expect(writeConcurrently([], 3, () => Promise.reject(new Error('none')))).resolves.toBeUndefined()
  })
})
