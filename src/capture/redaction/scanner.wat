;; Finds where a secret may begin, in one pass over a text; `scanner.ts` says what for. `node tools/redaction.mjs scanner`
;; turns this file into `scanner-bytes.ts`.
;;
;; Memory, bytes: 0 a class for each character; 256 ends of words before `key`; 512 heads of the lists of literals and 8,704
;; those of tokens, 4,096 of two bytes each, by a hash of their first three or two characters; 16,896 the next word of each
;; word's list; 33,280 the words; 49,152 the text as UTF-16; 118,784 the text with one byte for each character; 155,648 what
;; was found.
;;
;; Classes: 1 may stand in a token, 2 of those, a token may begin behind it, 4 may stand between a label and `=`, 8 begins an
;; escape, 16 digit, 32 lower case, 64 upper case, 128 ends the host of a URL.
(module
  (memory (export "memory") 11)

  (data (i32.const 0)
    "\00\00\00\00\00\00\00\00\00\84\80\80\80\80\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"
    "\84\00\84\80\00\08\00\84\00\00\00\03\00\03\03\83\11\11\11\11\11\11\11\11\11\11\00\08\80\00\80\84"
    "\80\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\08\8c\04\00\03"
    "\84\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\00\00\00\03\00")

  ;; Of api, app, access, secret, private, auth, encryption, encrypt, signing, account, master, shared, subscription, webhook,
  ;; license, functions, hmac, cipher, fernet, jwt, admin.
  (data (i32.const 256) "apiappessretateuthionyptinguntterredooknseonsmachernetjwtmin")

  ;; Where the head of the list stands that a literal at `at` is in, whatever the case of its letters.
  (func $literalHead (param $at i32) (result i32)
    (i32.add (i32.const 512)
      (i32.shl
        (i32.shr_u
          (i32.mul
            (i32.and (i32.or (i32.load (local.get $at)) (i32.const 0x202020)) (i32.const 0xffffff))
            (i32.const 0x9e3779b1))
          (i32.const 20))
        (i32.const 1))))

  (func $tokenHead (param $at i32) (result i32)
    (i32.add (i32.const 8704)
      (i32.shl
        (i32.shr_u
          (i32.mul (i32.load16_u (local.get $at)) (i32.const 0x9e3779b1))
          (i32.const 20))
        (i32.const 1))))

  ;; The next word of the list.
  (func $nextOf (param $word i32) (result i32)
    (i32.add (i32.const 16896) (i32.shl (i32.sub (local.get $word) (i32.const 33280)) (i32.const 1))))

  ;; Reads the words from `at` to `end`, each followed by a tab: literals have their kind before them.
  (func $words (param $at i32) (param $end i32) (param $isLiteral i32)
    (local $head i32)
    (block $done
      (loop $word
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $at (i32.add (local.get $at) (local.get $isLiteral)))
        (local.set $head
          (if (result i32) (local.get $isLiteral)
            (then (call $literalHead (local.get $at)))
            (else (call $tokenHead (local.get $at)))))
        (i32.store16 (call $nextOf (local.get $at)) (i32.load16_u (local.get $head)))
        (i32.store16 (local.get $head) (local.get $at))
        (loop $char
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br_if $char (i32.ne (i32.load8_u (local.get $at)) (i32.const 9))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $word))))

  ;; Literals up to `middle`, then tokens.
  (func (export "learn") (param $at i32) (param $middle i32) (param $end i32)
    (call $words (local.get $at) (local.get $middle) (i32.const 1))
    (call $words (local.get $middle) (local.get $end) (i32.const 0)))

  ;; How long the word is, if it stands at `at`; else 0. `$fold` is 32 where the case of letters does not matter.
  (func $match (param $at i32) (param $word i32) (param $fold i32) (result i32)
    (local $start i32) (local $char i32)
    (local.set $start (local.get $at))
    (loop $next
      (local.set $char (i32.load8_u (local.get $word)))
      (if (i32.eq (local.get $char) (i32.const 9))
        (then (return (i32.sub (local.get $at) (local.get $start)))))
      (if (i32.ne
            (i32.or (local.get $char) (local.get $fold))
            (i32.or (i32.load8_u (local.get $at)) (local.get $fold)))
        (then (return (i32.const 0))))
      (local.set $word (i32.add (local.get $word) (i32.const 1)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $next))
    (unreachable))

  ;; Whether what stands from `at` to `end` behind a token's sign is a machine's: a digit, or for a sign that is no word also
  ;; letters of both cases, or 16 capitals.
  (func $isMachineMade (param $at i32) (param $end i32) (param $isWord i32) (result i32)
    (local $seen i32) (local $class i32) (local $capitals i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $class (i32.load8_u (i32.load8_u (local.get $at))))
        (if (i32.and (local.get $class) (i32.const 16)) (then (return (i32.const 1))))
        (local.set $seen (i32.or (local.get $seen) (local.get $class)))
        (local.set $capitals
          (select
            (i32.add (local.get $capitals) (i32.const 1))
            (i32.const 0)
            (i32.and (local.get $class) (i32.const 64))))
        (if (i32.and
              (i32.eqz (local.get $isWord))
              (i32.or
                (i32.eq (i32.and (local.get $seen) (i32.const 96)) (i32.const 96))
                (i32.eq (local.get $capitals) (i32.const 16))))
          (then (return (i32.const 1))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (i32.const 0))

  ;; Whether a sign is small letters only, or at most three capitals: words begin so, too.
  (func $isWord (param $at i32) (param $length i32) (result i32)
    (local $all i32) (local $end i32)
    (local.set $all (i32.const 96))
    (local.set $end (i32.add (local.get $at) (local.get $length)))
    (loop $next
      (local.set $all
        (i32.and (local.get $all) (i32.load8_u (i32.load8_u (local.get $at)))))
      (br_if $next
        (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (local.get $end))))
    (i32.or
      (i32.eq (local.get $all) (i32.const 32))
      (i32.and (i32.eq (local.get $all) (i32.const 64)) (i32.le_u (local.get $length) (i32.const 3)))))

  ;; Whether a token may begin at `at`, in a run that goes to `end`.
  (func $beginsToken (param $at i32) (param $end i32) (result i32)
    (local $word i32) (local $length i32) (local $rest i32)
    (local.set $word (i32.load16_u (call $tokenHead (local.get $at))))
    (block $none
      (loop $next
        (br_if $none (i32.eqz (local.get $word)))
        (local.set $length (call $match (local.get $at) (local.get $word) (i32.const 0)))
        (if (local.get $length)
          (then
            (local.set $rest (i32.add (local.get $at) (local.get $length)))
            (if (call $isMachineMade
                  (local.get $rest)
                  (select
                    (i32.add (local.get $rest) (i32.const 64))
                    (local.get $end)
                    (i32.lt_u (i32.add (local.get $rest) (i32.const 64)) (local.get $end)))
                  (call $isWord (local.get $at) (local.get $length)))
              (then (return (i32.const 1))))))
        (local.set $word (i32.load16_u (call $nextOf (local.get $word))))
        (br $next)))
    (i32.const 0))

  ;; Writes down the tokens that may begin in a run, between `from` and `to`; returns where to write next.
  (func $run (param $at i32) (param $end i32) (param $from i32) (param $to i32) (param $out i32) (result i32)
    (local $everywhere i32) (local $last i32)
    (local.set $everywhere (local.get $at))
    (if (i32.and (i32.load8_u (i32.load8_u (i32.sub (local.get $at) (i32.const 1)))) (i32.const 8))
      (then (local.set $everywhere (i32.add (local.get $at) (i32.const 5)))))
    (local.set $last (i32.sub (local.get $end) (i32.const 15)))
    (block $done
      (loop $next
        (br_if $done (i32.gt_s (local.get $at) (local.get $last)))
        (if (i32.and
              (i32.ge_u (local.get $at) (local.get $from))
              (i32.lt_u (local.get $at) (local.get $to)))
          (then
            (if (call $beginsToken (local.get $at) (local.get $end))
              (then
                (i32.store (local.get $out)
                  (i32.or (i32.sub (local.get $at) (i32.const 118784)) (i32.const 0x54000000)))
                (local.set $out (i32.add (local.get $out) (i32.const 4)))))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br_if $next (i32.le_u (local.get $at) (local.get $everywhere)))
        (loop $skip
          (br_if $done (i32.gt_s (local.get $at) (local.get $last)))
          (br_if $next
            (i32.and
              (i32.load8_u (i32.load8_u (i32.sub (local.get $at) (i32.const 1))))
              (i32.const 2)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $skip))))
    (local.get $out))

  ;; The runs of 15 characters and more. Looks at every fifteenth: one that is in no run lets those before it be passed over.
  (func $runs (param $start i32) (param $end i32) (param $from i32) (param $to i32) (param $out i32) (result i32)
    (local $seen i32) (local $next i32) (local $at i32)
    (local.set $seen (i32.sub (local.get $start) (i32.const 1)))
    (block $done
      (loop $more
        (local.set $next (i32.add (local.get $start) (i32.const 14)))
        (br_if $done (i32.ge_u (local.get $next) (local.get $end)))
        (local.set $at (local.get $next))
        (loop $back
          (if (i32.gt_u (local.get $at) (local.get $seen))
            (then
              (if (i32.and (i32.load8_u (i32.load8_u (local.get $at))) (i32.const 1))
                (then
                  (local.set $at (i32.sub (local.get $at) (i32.const 1)))
                  (br $back)))
              (local.set $start (i32.add (local.get $at) (i32.const 1)))
              (local.set $seen (local.get $next))
              (br $more))))
        (local.set $next (i32.add (local.get $next) (i32.const 1)))
        (loop $ahead
          (if (i32.lt_u (local.get $next) (local.get $end))
            (then
              (if (i32.and (i32.load8_u (i32.load8_u (local.get $next))) (i32.const 1))
                (then
                  (local.set $next (i32.add (local.get $next) (i32.const 1)))
                  (br $ahead))))))
        (local.set $out
          (call $run (local.get $start) (local.get $next) (local.get $from) (local.get $to) (local.get $out)))
        (local.set $start (local.get $next))
        (local.set $seen (i32.sub (local.get $next) (i32.const 1)))
        (br $more)))
    (local.get $out))

  (func $classOf (param $at i32) (result i32)
    (i32.load8_u (i32.load8_u (local.get $at))))

  ;; Whether the name that goes on at `at` begins as that of a command line's option.
  (func $isOption (param $at i32) (result i32)
    (local $first i32)
    (local.set $first (i32.sub (local.get $at) (i32.const 72)))
    (loop $next
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (if (i32.eq (i32.load16_u (local.get $at)) (i32.const 0x2d2d)) (then (return (i32.const 1))))
      (br_if $next
        (i32.and
          (i32.and (call $classOf (local.get $at)) (i32.const 1))
          (i32.gt_s (local.get $at) (local.get $first)))))
    (i32.const 0))

  ;; Whether a quotation mark follows the space at `at`, maybe behind more of them and backslashes.
  (func $isBeforeMark (param $at i32) (result i32)
    (local $char i32) (local $left i32)
    (local.set $left (i32.const 44))
    (loop $next
      (local.set $char (i32.load8_u (local.get $at)))
      (if (i32.or (i32.eq (local.get $char) (i32.const 0x22)) (i32.eq (local.get $char) (i32.const 0x27)))
        (then (return (i32.const 1))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.or
            (i32.or (i32.eq (local.get $char) (i32.const 0x20)) (i32.eq (local.get $char) (i32.const 9)))
            (i32.eq (local.get $char) (i32.const 0x5c)))
        (then
          (br_if $next (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))))
    (i32.const 0))

  ;; Whether a value may be assigned to the label from `start` to `at`: `=`, `:` or `%`, a colour, a space behind an option, or
  ;; one before a quotation mark.
  ;; `$also` is one more character that will do.
  (func $isAssigned (param $start i32) (param $at i32) (param $also i32) (result i32)
    (local $char i32) (local $left i32) (local $end i32)
    (local.set $char (i32.load8_u (local.get $at)))
    (if (i32.or (i32.eq (local.get $char) (i32.const 0x5f)) (i32.eq (local.get $char) (i32.const 0x2d)))
      (then
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $left (i32.const 7))
        (local.set $char (i32.or (i32.load8_u (local.get $at)) (i32.const 32)))
        ;; `_base`, `_value`, `_string`
        (if (i32.and
              (i32.ne (local.get $char) (i32.const 0x62))
              (i32.and (i32.ne (local.get $char) (i32.const 0x73)) (i32.ne (local.get $char) (i32.const 0x76))))
          (then
            (if (i32.eqz (i32.and (call $classOf (local.get $at)) (i32.const 16)))
              (then (return (i32.const 0))))))
        (loop $suffix
          (if (i32.and (call $classOf (local.get $at)) (i32.const 112))
            (then
              (local.set $at (i32.add (local.get $at) (i32.const 1)))
              (br_if $suffix
                (local.tee $left (i32.sub (local.get $left) (i32.const 1))))))))
      (else
        (loop $digits
          (if (i32.and (call $classOf (local.get $at)) (i32.const 16))
            (then
              (local.set $at (i32.add (local.get $at) (i32.const 1)))
              (br_if $digits
                (i32.lt_u
                  (local.tee $left (i32.add (local.get $left) (i32.const 1)))
                  (i32.const 2))))))))
    (local.set $end (local.get $at))
    (local.set $left (i32.const 48))
    (loop $next
      (local.set $char (i32.load8_u (local.get $at)))
      (if (i32.or
            (i32.or (i32.eq (local.get $char) (i32.const 0x3d)) (i32.eq (local.get $char) (i32.const 0x3a)))
            (i32.or
              (i32.eq (local.get $char) (i32.const 0x25))
              (i32.or
                (i32.eq (local.get $char) (i32.const 0x1b))
                (i32.eq (local.get $char) (local.get $also)))))
        (then (return (i32.const 1))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.eq (local.get $char) (i32.const 0x5c))
        (then
          (local.set $char (i32.or (i32.load8_u (local.get $at)) (i32.const 32)))
          ;; u001b, x1b, e or 033: a colour
          (if (i32.or
                (i32.or (i32.eq (local.get $char) (i32.const 0x75)) (i32.eq (local.get $char) (i32.const 0x78)))
                (i32.or (i32.eq (local.get $char) (i32.const 0x65)) (i32.eq (local.get $char) (i32.const 0x30))))
            (then (return (i32.const 1))))
          (br $next)))
      (if (i32.and (i32.load8_u (local.get $char)) (i32.const 4))
        (then
          (br_if $next (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))))
    (local.set $char (i32.load8_u (local.get $end)))
    (if (i32.or (i32.eq (local.get $char) (i32.const 0x20)) (i32.eq (local.get $char) (i32.const 9)))
      (then
        (return
          (i32.or (call $isBeforeMark (local.get $end)) (call $isOption (local.get $start))))))
    (i32.const 0))

  ;; Whether a user may stand before a host in the URL whose `://` is from `start` to `at`.
  (func $hasUser (param $start i32) (param $at i32) (result i32)
    (local $char i32) (local $left i32)
    (if (i32.or
          (i32.eq (i32.load8_u (local.get $start)) (i32.const 0x25))
          (i32.eq (i32.load8_u (i32.add (local.get $start) (i32.const 1))) (i32.const 0x25)))
      (then (return (i32.const 1))))
    (local.set $left (i32.const 16))
    (loop $slash
      (local.set $char (i32.load8_u (local.get $at)))
      (if (i32.or (i32.eq (local.get $char) (i32.const 0x2f)) (i32.eq (local.get $char) (i32.const 0x5c)))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br_if $slash (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))))
    (local.set $left (i32.const 130))
    (loop $host
      (local.set $char (i32.load8_u (local.get $at)))
      (if (i32.or (i32.eq (local.get $char) (i32.const 0x3a)) (i32.eq (local.get $char) (i32.const 0x25)))
        (then (return (i32.const 1))))
      (if (i32.and (i32.load8_u (local.get $char)) (i32.const 128)) (then (return (i32.const 0))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $host (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
    (i32.const 0))

  ;; Whether one of the words that make a key secret may stand before it: by their last three letters.
  (func $isSecretKey (param $at i32) (result i32)
    (local $char i32) (local $letters i32) (local $word i32)
    (local.set $char (i32.load8_u (i32.sub (local.get $at) (i32.const 1))))
    (if (i32.or (i32.eq (local.get $char) (i32.const 0x5f)) (i32.eq (local.get $char) (i32.const 0x2d)))
      (then (local.set $at (i32.sub (local.get $at) (i32.const 1)))))
    (local.set $letters
      (i32.and
        (i32.or (i32.load (i32.sub (local.get $at) (i32.const 3))) (i32.const 0x202020))
        (i32.const 0xffffff)))
    (local.set $word (i32.const 256))
    (loop $next
      (if (i32.eq (i32.and (i32.load (local.get $word)) (i32.const 0xffffff)) (local.get $letters))
        (then (return (i32.const 1))))
      (br_if $next
        (i32.load8_u (local.tee $word (i32.add (local.get $word) (i32.const 3))))))
    (i32.const 0))

  ;; Whether a cookie's name with its `=` may follow on the line, in reach of what may stand before it; or the word is the key
  ;; of an object, behind which the text ends.
  (func $hasCookie (param $at i32) (result i32)
    (local $char i32) (local $end i32)
    (local.set $end (i32.add (local.get $at) (i32.const 128)))
    (loop $next
      (local.set $char (i32.load8_u (local.get $at)))
      (if (i32.or (i32.eq (local.get $char) (i32.const 0x3d)) (i32.eq (local.get $char) (i32.const 0x1b)))
        (then (return (i32.const 1))))
      (if (i32.eq (local.get $char) (i32.const 10)) (then (return (i32.const 0))))
      (br_if $next
        (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (local.get $end))))
    (i32.const 0))

  ;; Whether the literal of this kind is one by what stands around it.
  (func $stands (param $kind i32) (param $start i32) (param $end i32) (result i32)
    (local $char i32)
    (if (i32.eq (local.get $kind) (i32.const 0x65))
      (then (return (call $hasUser (local.get $start) (local.get $end)))))
    (if (i32.eq (local.get $kind) (i32.const 0x67))
      (then
        (local.set $char (i32.load8_u (local.get $end)))
        (return
          (i32.or
            (i32.or (i32.eq (local.get $char) (i32.const 0x20)) (i32.eq (local.get $char) (i32.const 9)))
            (i32.or (i32.eq (local.get $char) (i32.const 0x25)) (i32.eq (local.get $char) (i32.const 0x2b)))))))
    (if (i32.eq (local.get $kind) (i32.const 0x61))
      (then
        (if (i32.eqz (call $isSecretKey (local.get $start))) (then (return (i32.const 0))))))
    (if (i32.eq (local.get $kind) (i32.const 0x68))
      (then
        (if (i32.eqz (call $hasCookie (local.get $end))) (then (return (i32.const 0))))))
    ;; Kinds a to d, f, h, k and l are names.
    (if (i32.or
          (i32.or
            (i32.le_u (i32.sub (local.get $kind) (i32.const 0x61)) (i32.const 3))
            (i32.le_u (i32.sub (local.get $kind) (i32.const 0x6b)) (i32.const 1)))
          (i32.or (i32.eq (local.get $kind) (i32.const 0x66)) (i32.eq (local.get $kind) (i32.const 0x68))))
      (then
        (return
          (call $isAssigned
            (local.get $start)
            (local.get $end)
            (select (i32.const 0x2c) (i32.const 0x3d) (i32.eq (local.get $kind) (i32.const 0x66)))))))
    (i32.const 1))

  ;; One byte for each character: those beyond U+00FF become 0xff or 0, which no word holds.
  (func $narrow (param $chars i32)
    (local $at i32)
    (local.set $at (i32.const 0))
    (loop $next
      (v128.store (i32.add (i32.const 118784) (local.get $at))
        (i8x16.narrow_i16x8_u
          (v128.load (i32.add (i32.const 49152) (i32.shl (local.get $at) (i32.const 1))))
          (v128.load (i32.add (i32.const 49168) (i32.shl (local.get $at) (i32.const 1))))))
      (br_if $next
        (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $chars))))
    ;; Whatever stood behind it.
    (v128.store (i32.add (i32.const 118784) (local.get $chars)) (v128.const i64x2 0 0)))

  ;; Searches the text of so many characters that was written to 49,152; returns how many places between `from` and `to` it
  ;; found, each four bytes at 155,648: three of the place, one of the kind.
  (func (export "scan") (param $chars i32) (param $from i32) (param $to i32) (result i32)
    (local $at i32) (local $out i32) (local $word i32) (local $kind i32) (local $length i32)
    (call $narrow (local.get $chars))
    (local.set $from (i32.add (local.get $from) (i32.const 118784)))
    (local.set $to (i32.add (local.get $to) (i32.const 118784)))
    (local.set $out (i32.const 155648))
    (local.set $at (local.get $from))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $to)))
        (local.set $word
          (i32.load16_u offset=512
            (i32.shl
              (i32.shr_u
                (i32.mul
                  (i32.and
                    (i32.or (i32.load (local.get $at)) (i32.const 0x202020))
                    (i32.const 0xffffff))
                  (i32.const 0x9e3779b1))
                (i32.const 20))
              (i32.const 1))))
        (if (local.get $word)
          (then
            (loop $words
              (local.set $kind (i32.load8_u (i32.sub (local.get $word) (i32.const 1))))
              (local.set $length
                (call $match
                  (local.get $at)
                  (local.get $word)
                  (i32.and (local.get $kind) (i32.const 32))))
              (if (if (result i32) (local.get $length)
                    (then
                      (call $stands
                        (local.get $kind)
                        (local.get $at)
                        (i32.add (local.get $at) (local.get $length))))
                    (else (i32.const 0)))
                (then
                  (i32.store (local.get $out)
                    (i32.or
                      (i32.sub (local.get $at) (i32.const 118784))
                      (i32.shl (local.get $kind) (i32.const 24))))
                  (local.set $out (i32.add (local.get $out) (i32.const 4)))))
              (br_if $words
                (local.tee $word (i32.load16_u (call $nextOf (local.get $word))))))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (i32.shr_u
      (i32.sub
        (call $runs
          (i32.const 118784)
          (i32.add (local.get $chars) (i32.const 118784))
          (local.get $from)
          (local.get $to)
          (local.get $out))
        (i32.const 155648))
      (i32.const 2))))
