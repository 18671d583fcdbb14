import { describe, expect, it } from 'vitest'
import { companyName } from './company-name.js'
import { gramsOf, gramWindows, headsOf } from './grams.js'
import { highlightsOf } from './highlight.js'
import { phoneNumber } from './phone-number.js'
import { plainText } from './plain-text.js'

describe('a normalizer', () => {
  it.each([
    ['ＡＢＣ　ｱﾊﾟｰﾄ', 'abc あぱーと'],
    ['カタカナ ひらがな 漢字', 'かたかな ひらがな 漢字'],
    ['ヴァイオリン', 'ゔぁいおりん'],
    ['髙橋 﨑', '髙橋 﨑'],
    ['Ångström  Müller\tŁódź', 'angstrom muller lodz'],
    ['Straße Ærøskøbing', 'strasse aeroskobing'],
    ['İstanbul IĞDIR', 'istanbul igdir'],
    ['한국어 ㎏', '한국어 kg'],
    ['e\u0301clair', 'eclair'],
    ['ΟΔΟΣ οδός Σ', 'οδοσ οδοσ σ'],
    ['か\u3099き', 'がき'],
  ])('folds what a person does not type: %s', (given, expected) => {
    expect(plainText(given)).toBe(expected)
  })

  it.each([
    ['株式会社アクメ', 'あくめ'],
    ['アクメ㈱', 'あくめ'],
    ['（有）山田商店', '山田商店'],
    ['合同会社 テスト', 'てすと'],
    ['Acme Widgets Co., Ltd.', 'acme widgets'],
    ['Müller GmbH', 'muller'],
    ['Smith, Jones and Company, Inc.', 'smith, jones and'],
    ['Incorporated Thoughts', 'incorporated thoughts'],
    ['Ltd', 'ltd'],
  ])('leaves the legal form of a company out: %s', (given, expected) => {
    expect(companyName(given)).toBe(expected)
  })

  it.each([
    ['+81 (0)3-1234-5678', '0312345678'],
    ['＋８１－９０－１２３４－５６７８', '09012345678'],
    ['０３（１２３４）５６７８', '0312345678'],
    ['TEL: 03-1234-5678 ext. 12', '031234567812'],
    ['+1 555 123', '1555123'],
    ['山田', ''],
    ['suite 5', ''],
  ])('keeps the digits of a phone number: %s', (given, expected) => {
    expect(phoneNumber({ country: '81' })(given)).toBe(expected)
  })

  it('makes an American number of one with its country', () => {
    expect(phoneNumber({ country: '1', trunk: '' })('+1 (555) 123-4567')).toBe('5551234567')
    expect(phoneNumber()('+1 (555) 123-4567')).toBe('15551234567')
  })

  it.each([
    [{ country: '+81' }, `phoneNumber.country is "+81"; it must be the digits behind the +, such as '81'.`],
    [{ country: 81 }, `phoneNumber.country is 81; it must be the digits behind the +, such as '81'.`],
    [{ country: '0' }, `phoneNumber.country is "0"; it must be the digits behind the +, such as '81'.`],
    [{}, `phoneNumber.country is undefined; it must be the digits behind the +, such as '81'.`],
    [{ country: '81', trunk: 0 }, `phoneNumber.trunk is 0; it must be digits, such as '0', or ''.`],
    [{ country: '81', trnk: '' }, /trnk/],
    ['81', `phoneNumber is "81"; it must be an object such as { country: '81' }.`],
  ])('refuses a country that no number begins with: %j', (home, message) => {
    expect(() => phoneNumber(home as never)).toThrow(message)
  })
})

describe('grams', () => {
  it('are pairs of characters in scripts without spaces, and three letters elsewhere', () => {
    expect(gramsOf('山田太郎')).toEqual(['山田', '田太', '太郎'])
    expect(gramsOf('tarō')).toEqual(['tar', 'arō'])
    expect(gramsOf('𠮷野家')).toEqual(['𠮷野', '野家'])
    expect(gramsOf('😀😁😂')).toEqual(['😀😁😂'])
    expect(gramsOf('ab')).toEqual([])
  })

  it('span each boundary of two words and of two kinds of script once', () => {
    expect(gramsOf('山田 太郎')).toEqual(['山田', '田 太', '太郎'])
    expect(gramsOf('ann b. li')).toEqual(['ann', 'n b', '. l'])
    expect(gramsOf('第3営業所')).toEqual(['第3', '3営', '営業', '業所'])
    expect(gramsOf('田 ab')).toEqual(['田 a'])
  })

  it('have the characters around them, at each of their places', () => {
    expect(gramWindows('abcdefghijklmn').get('jkl')).toEqual(['bcdefghijklmn'])
    expect(gramWindows('anna and hannah').get('ann')).toEqual(['anna and ha', 'na and hannah'])
  })

  it('have heads up to their size', () => {
    expect(headsOf('alice')).toEqual(['a', 'al', 'ali'])
    expect(headsOf('山田太郎')).toEqual(['山', '山田'])
    expect(headsOf('x')).toEqual(['x'])
    expect(headsOf('')).toEqual([])
  })
})

describe('highlights', () => {
  it('are places of the value as it was written', () => {
    expect(highlightsOf('ｻﾝﾌﾟﾙ商事', 'ぷる', plainText, false)).toEqual([[2, 5]])
    expect(highlightsOf('Łódź  Straße', 'odz strass', plainText, false)).toEqual([[1, 11]])
    expect(highlightsOf('+81 90-1234-5678', '90123', phoneNumber(), false)).toEqual([[4, 10]])
    expect(highlightsOf('+81 90-1234-5678', '09012', phoneNumber({ country: '81' }), true)).toEqual([[4, 9]])
    expect(highlightsOf('anna banana', 'an', plainText, false)).toEqual([
      [0, 2],
      [6, 8],
      [8, 10],
    ])
    expect(highlightsOf('anna banana', 'an', plainText, true)).toEqual([[0, 2]])
    expect(highlightsOf('株式会社アクメ', 'あく', companyName, true)).toEqual([[4, 6]])
    expect(highlightsOf('ΣΑΣ ΑΕ', plainText('ΣΑΣ'), plainText, true)).toEqual([[0, 3]])
    expect(highlightsOf('abc', 'x', plainText, false)).toEqual([])
  })
})
