/** Whether a text is what a script expects: `*` stands for anything within one entry of a list, and ` | ` for one text or another. */
export function fits(expected: string, text: string): boolean {
  return expected.split(' | ').some((one) => {
    const parts = one.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${parts.join('[^,]*')}$`, 's').test(text)
  })
}
