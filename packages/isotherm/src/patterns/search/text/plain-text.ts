/**
 * Letters that have no decomposition into a base letter and a mark; and the final sigma, which `toLowerCase` puts at the end of a text although
 * the text may be the beginning of a longer word.
 */
const FOLDED_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ς: 'σ',
}

const KATAKANA_TO_HIRAGANA = 0x60

/**
 * Folds the differences that a person does not type: width (NFKC), case, accents of Latin letters, and katakana to hiragana. Runs of white
 * space become one space. Voiced kana and Hangul syllables are kept.
 *
 * @example
 * plainText('ﾔﾏﾀﾞ　Café') // 'やまだ cafe'
 */
export function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ßæœøłđıς]/g, (letter) => FOLDED_LETTERS[letter] ?? letter)
    .replace(/[\u30a1-\u30f6\u30fd\u30fe]/g, (kana) =>
      String.fromCharCode(kana.charCodeAt(0) - KATAKANA_TO_HIRAGANA),
    )
    .replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
    .trim()
}
