import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { isotherm } from '../isotherm.fixture.js'

const hasBash = spawnSync('bash', ['--version']).status === 0

/** The words that bash offers for a line, whose last word is incomplete. */
async function offered(...line: readonly string[]): Promise<readonly string[]> {
  const { out } = await isotherm('completion', 'bash')
  const words = ['isotherm', ...line].map((word) => `'${word}'`).join(' ')
  const script = `${out}\nCOMP_WORDS=(${words}); COMP_CWORD=${line.length}; _isotherm; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

describe.skipIf(!hasBash)('isotherm completion bash (skipped where bash is not installed)', () => {
  it('offers commands, their commands, and their flags', async () => {
    expect(await offered('pro')).toEqual(['proxy'])
    expect(await offered('shards', 'd')).toEqual(['drain'])
    expect(await offered('shards', 'drain', '--dr')).toEqual(['--dry-run'])
    expect(await offered('proxy', '--config', 'x.yaml', '--ups')).toEqual(['--upstream'])
    expect(await offered('completion', '--h')).toEqual(['--help'])
  })
})

describe('isotherm completion', () => {
  it('has scripts for zsh and fish', async () => {
    expect((await isotherm('completion', 'zsh')).out).toContain('bashcompinit')
    const { out } = await isotherm('completion', 'fish')
    expect(out).toContain("complete -c isotherm -n '__fish_use_subcommand' -a proxy")
    expect(out).toContain(
      "-n '__fish_seen_subcommand_from shards; and __fish_seen_subcommand_from drain' -l to",
    )
  })

  it('names the shells that it knows', async () => {
    const err = "isotherm: The shell is 'csh'; it must be bash or zsh or fish.\n"
    expect(await isotherm('completion', 'csh')).toEqual({ code: 2, out: '', err })
  })
})
