import { plainText } from './plain-text.js'

/** Legal forms that stand before or after a Japanese name, with or without brackets. */
const JAPANESE =
  /^(?:(?:株式|有限|合同|合資|合名)会社|\((?:株|有|同|資|名)\))\s*|\s*(?:(?:株式|有限|合同|合資|合名)会社|\((?:株|有|同|資|名)\))$/

/** Legal forms that end a name, behind a space or a comma. */
const LATIN =
  /[\s,]+(?:inc|incorporated|corp|corporation|co|company|ltd|limited|llc|llp|lp|plc|gmbh|ag|kg|ug|se|sa|sas|sarl|srl|spa|bv|nv|oy|ab|as|aps|pty|kk)\.?$/

/**
 * Like `plainText`, without the legal form of a company: `株式会社`, `㈱`, `Inc.`, `Co., Ltd.`, `GmbH` and others.
 *
 * @example
 * companyName('㈱アクメ') // 'あくめ'
 * companyName('Acme Widgets Co., Ltd.') // 'acme widgets'
 */
export function companyName(text: string): string {
  let name = plainText(text)
  // Each round makes it shorter. `Co., Ltd.` takes two.
  for (let before = ''; before !== name; ) {
    before = name
    name = name
      .replace(JAPANESE, '')
      .replace(LATIN, '')
      .replace(/[,\s]+$/, '')
  }
  return name
}
