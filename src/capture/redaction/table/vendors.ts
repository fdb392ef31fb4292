/**
 * Values that only the vendor's name before them tells: 32 hex digits may be anything, but `DATADOG_KEY=` has Datadog's. A line each:
 * id, words of which one is in the name, grammars of the whole value, where they were published.
 */
export const VENDORS = `
ABLY-KEY ably {w6}.{w6}:{w43} trufflehog
ADAFRUIT-KEY adafruit aio_{n28} {k32} gitleaks
ADOBE-SECRET adobe p8e-{n32} {h32} gitleaks
AGORA-KEY agora {h32} trufflehog
AIRTABLE-KEY airtable key{n14} {k17} gitleaks
ALCHEMY-KEY alchemy {w32} trufflehog
ALGOLIA-KEY algolia {k32} www.algolia.com/doc
ALIBABA-SECRET alibaba,aliyun {n30} gitleaks
AMPLITUDE-KEY amplitude {h32} trufflehog
ASANA-SECRET asana {d1}/{d16}:{h32} {k32} gitleaks
ASSEMBLYAI-KEY assemblyai {h32} trufflehog
ATLASSIAN-KEY atlassian,confluence,jira {n24} gitleaks
AUTH0-SECRET auth0 {w64} trufflehog
AZURE-KEY azure,accountkey,sharedaccesskey,cosmos {b86}== {b43}= {h32} {n84} {k52} learn.microsoft.com/en-us
BEAMER-KEY beamer b_{c44} gitleaks
BINANCE-KEY binance {n64} trufflehog
BITBUCKET-SECRET bitbucket {k32} {w64} gitleaks
BITLY-TOKEN bitly {h40} trufflehog
BITTREX-KEY bittrex {k32} gitleaks
BUGSNAG-KEY bugsnag {h32} {u} trufflehog
CISCO-MERAKI-KEY meraki {h40} gitleaks
CLOUDFLARE-KEY cloudflare,cfapi {w40} {h37} gitleaks
CLOUDINARY-SECRET cloudinary {w27} trufflehog
CODECOV-TOKEN codecov {u} {k32} gitleaks
COHERE-KEY cohere,coapikey {n40} gitleaks
COINBASE-SECRET coinbase {w64} gitleaks
CONFLUENT-SECRET confluent {b64} {n16} gitleaks
CONSUL-TOKEN consul {u} developer.hashicorp.com/consul
CONTENTFUL-KEY contentful {w43} gitleaks
DATADOG-KEY datadog,ddapi,ddapp {h32} {k40} docs.datadoghq.com/account_management
DEEPGRAM-KEY deepgram {h40} trufflehog
DISCORD-SECRET discord {w32} {h64} {n23,28}.{w6}.{w27,40} gitleaks
DRONE-TOKEN drone {n32} gitleaks
DROPBOX-SECRET dropbox {k15} {n11}AAAAAAAAAA{c43} sl.{c135} gitleaks
ETHERSCAN-KEY etherscan {K34} trufflehog
ETSY-KEY etsy {k24} gitleaks
FACEBOOK-SECRET facebook {h32} {d15,16}%{w27,40} {d15,16}|{w27,40} gitleaks
FASTLY-TOKEN fastly {w32} gitleaks
FINICITY-KEY finicity {h32} {k20} gitleaks
FINNHUB-KEY finnhub {k20} gitleaks
FLICKR-KEY flickr {k32} gitleaks
FRESHBOOKS-TOKEN freshbooks {k64} gitleaks
FRESHDESK-KEY freshdesk {n20} trufflehog
GITEA-TOKEN gitea,forgejo {h40} trufflehog
GITTER-TOKEN gitter {w40} gitleaks
GOCARDLESS-TOKEN gocardless {live|sandbox}_{w40} gitleaks
HEROKU-API-KEY heroku {u} gitleaks
HETZNER-TOKEN hetzner,hcloud {n64} trufflehog
HONEYBADGER-KEY honeybadger {n20,40} trufflehog
IBM-CLOUD-KEY ibm {w44} trufflehog
INFURA-KEY infura {h32} trufflehog
INFLUXDB-TOKEN influx {w86}== docs.influxdata.com/influxdb
JENKINS-TOKEN jenkins 11{h32} www.jenkins.io/doc
JFROG-KEY jfrog,artifactory,bintray,xray {n73} {n64} gitleaks
KRAKEN-SECRET kraken {b86}== {b56} {s80,90} gitleaks
KUCOIN-SECRET kucoin {u} {h24} gitleaks
LASTFM-KEY lastfm {h32} trufflehog
LINEAR-SECRET linear {h32} gitleaks
LINKEDIN-CLIENT-SECRET linkedin,linked_in,linked-in {n16} gitleaks
LINODE-TOKEN linode {h64} trufflehog
MAILCHIMP-KEY mailchimp {h32}-us{d1,2} mailchimp.com/developer
MAILGUN-SIGNING-KEY mailgun {k32}-{k8}-{k8} gitleaks
MAILJET-SECRET mailjet {h32} trufflehog
MATTERMOST-TOKEN mattermost {k26} gitleaks
MESSAGEBIRD-KEY messagebird,message_bird,message-bird {n25} {u} gitleaks
MISTRAL-KEY mistral {n32} docs.mistral.ai
MIXPANEL-SECRET mixpanel {h32} {n32} trufflehog
MOLLIE-KEY mollie {live|test}_{n30} docs.mollie.com/reference/authentication
NETLIFY-KEY netlify {c40,46} gitleaks
NEWRELIC-LICENSE-KEY newrelic,new-relic,new_relic {h36}NRAL {h40} {k64} NRJS-{h19} docs.newrelic.com/docs
NGROK-TOKEN ngrok {n27}_{n21} trufflehog
NYTIMES-KEY nytimes,newyorktimes,new-york-times {c32} gitleaks
OKTA-TOKEN okta 00{w40} developer.okta.com/docs
OPENWEATHER-KEY openweather,owm {h32} trufflehog
OPSGENIE-KEY opsgenie {u} trufflehog
PAGERDUTY-KEY pagerduty u+{w18} {w20} {h32} trufflehog
PAYPAL-SECRET paypal {w80} trufflehog
PLAID-SECRET plaid {k30} gitleaks
PLIVO-TOKEN plivo {n40} trufflehog
POSTMARK-TOKEN postmark {u} postmarkapp.com/developer/api/overview
PRIVATEAI-KEY privateai,private_ai,private-ai {k32} gitleaks
PUSHER-SECRET pusher {h20} trufflehog
RAILWAY-TOKEN railway {u} docs.railway.com/reference/public-api
RAPIDAPI-KEY rapidapi {h10}msh{h15}p1{h6}jsn{h12} {w50} gitleaks
RAZORPAY-SECRET razorpay {n24} trufflehog
ROLLBAR-TOKEN rollbar {h32} trufflehog
SCALEWAY-SECRET scaleway,scw {u} trufflehog
SENDBIRD-TOKEN sendbird {h40} {u} gitleaks
SENTRY-KEY sentry {h64} gitleaks
SNYK-KEY snyk {u} gitleaks
SONAR-KEY sonar {c40} gitleaks
SPARKPOST-KEY sparkpost {h40} trufflehog
SPLUNK-TOKEN splunk {u} docs.splunk.com/Documentation
SPOTIFY-SECRET spotify {h32} trufflehog
SQUARESPACE-KEY squarespace {u} gitleaks
STEAM-KEY steam {x32} steamcommunity.com/dev
STRAVA-SECRET strava {h40} trufflehog
SUMOLOGIC-KEY sumo {n64} su{n12} gitleaks
TENCENT-SECRET-KEY tencent {n32} trufflehog
TOMTOM-KEY tomtom {n32} trufflehog
TRAVIS-TOKEN travis {w22} gitleaks
TRELLO-SECRET trello {h64} {h32} trufflehog
TWILIO-AUTH-TOKEN twilio {h32} www.twilio.com/docs/iam/api/authtoken
TWITCH-SECRET twitch {k30} gitleaks
TWITTER-SECRET twitter AAAAAAAAAAAAAAAAAAAAAA{s80,100} {n45} {n50} {n25} {d15,25}-{n20,40} gitleaks
UPSTASH-TOKEN upstash {w40,64} upstash.com/docs/redis/overall/getstarted
VERCEL-KEY vercel {n24} vercel.com/docs/rest-api
VONAGE-SECRET vonage,nexmo {n16} trufflehog
VULTR-KEY vultr {K36} trufflehog
WANDB-API-KEY wandb {h40} trufflehog
WEBEX-SECRET webex {h64} trufflehog
YANDEX-SECRET yandex {w40} gitleaks
ZENDESK-SECRET zendesk {n40} gitleaks
ZEROTIER-TOKEN zerotier {n32} trufflehog
ZOOM-SECRET zoom {n32} trufflehog
AWS-SECRET-KEY aws,secretaccesskey,secret_access_key {b40} docs.aws.amazon.com/IAM
GITLAB-COOKIE _gitlab_session {k32} gitleaks
HUBSPOT-KEY hubspot {u} gitleaks
INTERCOM-KEY intercom {c60} gitleaks
LAUNCHDARKLY-TOKEN launchdarkly {c40} gitleaks
LOOKER-SECRET looker {k24} gitleaks
MAPBOX-KEY mapbox pk.{k60}.{k22} gitleaks
SIDEKIQ-SECRET bundle_enterprise__contribsys__com,bundle_gems__contribsys__com {h8}:{h8} gitleaks
SOURCEGRAPH-KEY sourcegraph {h40} gitleaks
TELEGRAM-KEY telegr {d5,16}:A{w34} gitleaks
LOB-KEY lob_,lob-,lobapi,lobtoken,lobkey,lobsecret {live|test}_{h35} {live|test}_pub_{h31} gitleaks
`;
