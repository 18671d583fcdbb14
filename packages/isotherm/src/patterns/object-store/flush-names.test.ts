import { expect, it } from 'vitest'
import { flushNames } from './flush-names.js'

it.skipIf(process.platform === 'win32')(
  'a directory that may be written and not listed is left out, and other errors are thrown',
  async () => {
    const opened: string[] = []
    const refuse = (code: string) => async (path: string) => {
      opened.push(path)
      throw Object.assign(new Error(code), { code })
    }
    for (const code of ['EACCES', 'EPERM']) {
      await flushNames('/a/b', '/a', refuse(code))
      expect(opened.splice(0)).toEqual(['/a/b', '/a'])
    }
    await expect(flushNames('/a/b', '/a', refuse('EMFILE'))).rejects.toMatchObject({ code: 'EMFILE' })
  },
)
