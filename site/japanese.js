// The Japanese part of the site: its words, beside the pages.
import { navigation } from './navigation.js'

/** Most links of a Japanese page lead to pages that exist only in English. The reader sees which before the click. */
export const ENGLISH_LINKS =
  '.vp-doc a[hreflang="en"]:not([lang])::after { content: "（英語）"; font-size: 0.85em; }'

/** The settings of the locale. */
export const japanese = {
  description: 'ホットな DynamoDB のパーティションキーを、必要な数のシャードに分散します',
  themeConfig: {
    // Each Japanese page has an English one, so the menu leads to it. Of most English pages there is no Japanese one.
    i18nRouting: true,
    nav: [
      { text: 'クイックスタート', link: '/ja/quick-start' },
      { text: 'ガイド', link: '/ja/sharding' },
      { text: 'リファレンス（英語）', link: '/reference/' },
      { text: '変更履歴（英語）', link: '/changelog' },
    ],
    sidebar: navigation.japanese,
    outline: { level: [2, 3], label: 'このページの内容' },
    docFooter: { prev: '前のページ', next: '次のページ' },
    darkModeSwitchLabel: '外観',
    lightModeSwitchTitle: 'ライトテーマに切り替える',
    darkModeSwitchTitle: 'ダークテーマに切り替える',
    langMenuLabel: '言語を切り替える',
    returnToTopLabel: '先頭へ戻る',
    sidebarMenuLabel: 'メニュー',
    skipToContentLabel: '本文へ移動',
    notFound: {
      title: 'ページが見つかりません',
      quote: 'アドレスが変わったか、ページが削除された可能性があります。',
      linkLabel: '日本語のトップページへ',
      linkText: 'トップページへ戻る',
    },
  },
}

/** The words of the search. It searches the pages of the reader's language. */
export const japaneseSearch = {
  translations: {
    button: { buttonText: '検索', buttonAriaLabel: '検索' },
    modal: {
      displayDetails: '詳細を表示する',
      resetButtonTitle: '検索語を消す',
      backButtonTitle: '検索を閉じる',
      noResultsText: '日本語のページには見つかりません（英語のページは、言語を切り替えて検索してください）：',
      footer: {
        selectText: '選択',
        selectKeyAriaLabel: 'Enter',
        navigateText: '移動',
        navigateUpKeyAriaLabel: '上矢印',
        navigateDownKeyAriaLabel: '下矢印',
        closeText: '閉じる',
        closeKeyAriaLabel: 'Esc',
      },
    },
  },
}
