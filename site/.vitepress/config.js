// The site shows the pages of this repository as they are. `npm run site` builds it.
import { defineConfig } from 'vitepress'
import { sectionName } from '../../tools/section-name.ts'
import { ENGLISH_LINKS, japanese, japaneseSearch } from '../japanese.js'
import { navigation } from '../navigation.js'
import { guidesFirst, wordsOf } from '../search.js'
import { siteLinks } from '../site-links.js'

const REPOSITORY = 'https://github.com/isotherm/isotherm'

export default defineConfig({
  title: 'Isotherm',
  description: 'Spreads hot DynamoDB partition keys over as many shards as they need',
  head: [['style', {}, ENGLISH_LINKS]],
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  cleanUrls: true,
  metaChunk: true,
  locales: {
    root: { label: 'English', lang: 'en' },
    ja: { label: '日本語', lang: 'ja', link: '/ja/', ...japanese },
  },
  markdown: {
    anchor: { slugify: sectionName },
    theme: { light: 'github-light', dark: 'github-dark' },
    config: (md) => siteLinks(md, `${REPOSITORY}/blob/main`),
  },
  // The code of the search, and the long pages, are loaded when they are needed.
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
  themeConfig: {
    i18nRouting: false,
    nav: [
      { text: 'Quick start', link: '/quick-start' },
      { text: 'Guides', link: '/sharding' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: navigation.english,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        locales: { ja: japaneseSearch },
        miniSearch: {
          options: { tokenize: wordsOf },
          searchOptions: { prefix: true, fuzzy: 0.1, boostDocument: guidesFirst },
        },
      },
    },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    footer: { message: 'Apache License 2.0' },
  },
})
