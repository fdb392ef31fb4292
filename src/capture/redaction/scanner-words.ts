/**
 * What `scanner.wat` looks for, made by `node tools/redaction.mjs signs`: the hook knows by it which texts need the table,
 * which it does not load otherwise. Each word is followed by a tab; a literal has the character of its kind before it.
 */
export const LITERAL_WORDS =
  'akey\takeybase\tbsecret\tbsecretvalue\tbsecretstring\tbtoken\tbcredential\tbcredentials\tcpassword\tcpass' +
  'wd\tcpassphrase\tcpasscode\tcpwd\tdpass\te://\te:\\/\te:\\\\/\te:\\\\\\/\te:%2f\te%3a%2f%2f\tfauthorization\tgbear' +
  'er\thcookie\ti<private\tj-----begin \tj-----end \tA:_auth\tA:_pass\tA_authToken\tA\n_auth\tA\n_pass\tA\\n_aut' +
  'h\tA\\n_pass\tBhooks.slack\tBhooks.zapier\tBwebhooks/\tBwebhooks\\\tBwebhooks%\tBwebhookb2\tBmaker.ifttt\tC' +
  '.make.com/\tC.make.com\\\tC.make.com%\tD0Q~\tD1Q~\tD2Q~\tD3Q~\tD4Q~\tD5Q~\tD6Q~\tD7Q~\tD8Q~\tD9Q~\tE.atlasv1.\t' +
  'Fsha256~\tG_mmk\tHaccess_token$\tIsig=\tIsig%3\tIignature=\tIity-Token=\tIity-token=\tJcurl \tJ login \tJm' +
  'ysql\tJmariadb\tJsshpass \tJredis-cli \tK-passin\tK-passout\tL--from-literal\tLconfigure set \tMmachine ' +
  '\tN:5432:\tN:*:\tO$apr1$\tO$2y$\tO$2b$\tO$2a$\tO$6$\tO$y$\tPassword=\tPwd=\tPASSWORD=\tPWD=\tQSecret\tRsensiti' +
  've"\tRsensitive\\\t';

/** The first two to eight characters of every token of the table and of its base64. */
export const TOKEN_WORDS =
  '00D\t0x4AAAAA\t4b1d\tA3-\tAA\tABIA\tABSK\tACCA\tAGE-SECR\tAIza\tAKCp\tAKIA\tAKID\tAPI-\tAQVN\tASIA\tATATT3\tATBB\t' +
  'ATCTT3xF\tATOA\tATTA\tCCDB1_\tCCIPAT_\tCCIPRJ_\tCFPAT-\tCLOJARS_\tDO00\tEAA\tEAAA\tEZAK\tEZTK\tFLWSECK-\tFLWSE' +
  'CK_\tFwoGZXIv\tGOCSPX-\tGOOG1E\tGR134894\tHRKU-\tIGAA\tIGQV\tIGQW\tIQoJb3Jp\tK00\tKEY\tLS0t\tLTAI\tMD\tMT\tMj\tMz' +
  '\tND\tNRAA-\tNRAK-\tNRII-\tNRIQ-\tNRJS-\tNRRA-\tNRSP-\tNT\tNj\tNz\tOD\tOT\tPMAK-\tPMAT-\tQUJJ\tQUND\tQUl6\tQUtJ\tQVN' +
  'J\tR1Ix\tSG.\tSK\tWPL_AP\tYC\tZ2h1\tZ2hv\tZ2hw\tZ2hy\tZ2hz\tZ2l0\tZ2x3\tZ2xh\tZ2xj\tZ2xk\tZ2xm\tZ2xp\tZ2xv\tZ2xw\tZ2' +
  'xy\tZ2xz\tZXlK\taccess-d\taccess-p\taccess-s\tapi-\tapi_org_\tauthress\tbb_live_\tbb_test_\tbedrock-\tbkaj_\t' +
  'bkart_\tbkat_\tbkct_\tbkpi_\tbkps_\tbkpt_\tbkua_\tbnBt\tc2st\tc2tf\tchpt_\tcio\tcmVmd\tcmtf\tcrsr_\tcsk-\tdG9rO\t' +
  'dapi\tdbtc_\tdbtu_\tdckr_oat\tdckr_pat\tddo_\tddp_\tddw_\tdnkey-\tdoo_v1_\tdop_v1_\tdor_v1_\tdp.audit\tdp.ct.' +
  '\tdp.pt.\tdp.sa.\tdp.said.\tdp.scim.\tdp.st.\tdt0c01.\tdt0s01.\tdt0s02.\tdt0s16.\tdtn_\tduffel_l\tduffel_t\te' +
  '2b_\teG94\teGFw\tessu_\text_\teyJ\teyJrIjoi\tfc-\tfigd_\tfigo_\tfigor_\tfigou_\tfigu_\tfio-u-\tfm1a_\tfm1r_\tfm2' +
  '_\tfo1_\tfw_\tgho_\tghp_\tghr_\tghs_\tghu_\tgithub_p\tglagent-\tglc_\tglcbt-\tgldt-\tglffct-\tglft-\tglimt-\tglo' +
  'as-\tglpat-\tglptt-\tglrt-\tglrtr-\tglsa_\tglsoat-\tglwt-\tgsk_\thcaik_\thcalk_\thcamk_\thcbik_\thcblk_\thcbmk' +
  '_\thccik_\thcclk_\thccmk_\thcxik_\thcxlk_\thcxmk_\thf_\thvb.\thvr.\thvs.\tico-\tjina_\tkey-\tlin_api_\tlin_oaut' +
  '\tlin_wh_\tlio_\tlip_\tlsv2_pt_\tlsv2_sk_\tm0-\tmd-\tmdb_sa_s\tnapi_\tnfb_\tnfc_\tnfo_\tnfp_\tnfu_\tnpm_\tntn_\tn' +
  'vapi-\tops_eyJ\tos_v2_ap\tos_v2_or\toy2\tpa-\tpackagis\tpat\tpat-ap1-\tpat-eu1-\tpat-na1-\tpat-na2-\tpat-na3' +
  '-\tpat.\tpcsk_\tpdl_live\tpdl_ntfs\tpdl_sdbx\tpersona_\tphs_\tphx_\tpk_\tpnb_\tpnu_\tpolar_at\tpolar_oa\tpolar' +
  '_pa\tpolar_rt\tpplx-\tprivy_ap\tpscale_o\tpscale_p\tpscale_t\tpul-\tpypi-AgE\tr8_\trdme_\tre_\trel-\trk_live_' +
  '\trk_org_l\trk_org_t\trk_prod_\trk_test_\trnd_\trootly_\trpa_\trubygems\ts-s4t2af\ts-s4t2ud\tsat.\tsb_secre\t' +
  'sbp_\tsbp_oaut\tsc_\tscauth_\tsdk-\tsec-c-\tsecret-l\tsecret-t\tsecret_\tsgd_\tsgp_\tsgp_loca\tshippo_l\tship' +
  'po_t\tshpat_\tshpca_\tshpit_\tshppa_\tshpss_\tshptka_\tshpua_\tsignkey-\tsk-\tsk-None-\tsk-admin\tsk-ant-\tsk' +
  '-helic\tsk-lf-\tsk-or-v1\tsk-proj-\tsk-servi\tsk-svcac\tsk.eyJ\tsk_\tsk_dev_\tsk_knock\tsk_live_\tsk_org_l\t' +
  'sk_org_t\tsk_prod_\tsk_test_\tsl.\tslk_\tsm_aat_\tsm_pat_\tsm_sat_\tsntrya_\tsntryi_\tsntrys_\tsntryu_\tsnyk' +
  '_oat\tsnyk_sat\tsnyk_uat\tsq0atp-\tsq0csp-\tsqa_\tsqb_\tsqp_\tsqu_\tst.\tt1.\ttfp_\ttgp_v1_\ttk-us-\ttr_dev_\tt' +
  'r_pat_\ttr_previ\ttr_prod_\ttr_stg_\ttskey-\ttvly-\tunkey_\tv1.0-\tvca_\tvci_\tvck_\tvcp_\tvcr_\twaka_\twandb_' +
  'v1\twhsec_\txaat-\txai-\txait-\txapp\txapt-\txkeysib-\txnd_deve\txnd_prod\txoxa\txoxb\txoxc\txoxd\txoxe\txoxe.x' +
  'ox\txoxo\txoxp\txoxr\txoxs\txsmtpsib\ty0_\tya29.\t';
