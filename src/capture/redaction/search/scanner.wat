;; Finds the keywords of all rules in one pass, and looks at what stands around each. `tools/assemble.mjs` turns this file into
;; `scanner-bytes.ts`; `prefilter.ts` says what it is for. Texts are UTF-16.
;;
;; Memory: 0 what each ASCII character may be, 0x400 keywords of 8 bytes (address, characters, kind, run), 0x5000 by three characters
;; the first node of a list, 0x15000 nodes of 4 bytes (keyword, next node), 0x1d000 the lines of the keywords, 0x2d000 what was
;; found (place, keyword), 0x35000 a stretch of the text.
(module
  (memory (export "memory") 4)
  ;; 1 letter or digit, 2 in a name, 4 between a name and its operator, 8 an operator, 16 in a value, 32 digit, 64 in a value
  ;; of any characters, 128 in a dotted name
  (data (i32.const 0)
    "\00\00\00\00\00\00\00\00\00\04\04\00\00\04\00\00\00\00\00\00\00\00\00\00\00\00\00\08\00\00\00\00"
    "\04\48\04\40\40\58\48\04\08\04\40\58\48\da\d0\50\f3\f3\f3\f3\f3\f3\f3\f3\f3\f3\58\00\40\58\48\48"
    "\40\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\04\54\04\40\d2"
    "\04\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\d3\00\48\04\50\00")
  (global $nodes (mut i32) (i32.const 0))
  (global $keywords (mut i32) (i32.const 0))
  (global $chars (mut i32) (i32.const 0))
  ;; Where the next scan goes on.
  (global $next (export "next") (mut i32) (i32.const 0))

  ;; The character at `at`; 0 outside of the stretch.
  (func $char (param $at i32) (result i32)
    (if (i32.ge_u (local.get $at) (global.get $chars)) (then (return (i32.const 0))))
    (i32.load16_u offset=0x35000 (i32.shl (local.get $at) (i32.const 1))))

  (func $flags (param $char i32) (result i32)
    (if (i32.gt_u (local.get $char) (i32.const 127)) (then (return (i32.const 192))))
    (i32.load8_u (local.get $char)))

  (func $is (param $at i32) (param $flag i32) (result i32)
    (i32.and (call $flags (call $char (local.get $at))) (local.get $flag)))

  (func $lower (param $char i32) (result i32)
    (if (i32.lt_u (i32.sub (local.get $char) (i32.const 65)) (i32.const 26))
      (then (return (i32.or (local.get $char) (i32.const 32)))))
    (local.get $char))

  ;; The list of a keyword's first three characters: five bits each, so that letters of both cases are the same.
  (func $head (param $a i32) (param $b i32) (param $c i32) (result i32)
    (i32.shl
      (i32.or
        (i32.shl (i32.and (local.get $a) (i32.const 31)) (i32.const 10))
        (i32.or
          (i32.shl (i32.and (local.get $b) (i32.const 31)) (i32.const 5))
          (i32.and (local.get $c) (i32.const 31))))
      (i32.const 1)))

  ;; Appends a keyword, so that the lists are in order.
  (func $add (param $head i32)
    (local $link i32) (local $node i32)
    (local.set $link (i32.add (i32.const 0x5000) (local.get $head)))
    (block $end
      (loop $more
        (local.set $node (i32.load16_u (local.get $link)))
        (br_if $end (i32.eqz (local.get $node)))
        (local.set $link (i32.add (i32.const 0x15002) (i32.shl (local.get $node) (i32.const 2))))
        (br $more)))
    (global.set $nodes (i32.add (global.get $nodes) (i32.const 1)))
    (i32.store16 (local.get $link) (global.get $nodes))
    (i32.store16 offset=0x15000 (i32.shl (global.get $nodes) (i32.const 2)) (global.get $keywords)))

  ;; Reads the lines of the keywords: kind, text, tab, a number (the run), blank, what is for others.
  (func (export "prepare") (param $chars i32)
    (local $at i32) (local $end i32) (local $start i32) (local $code i32) (local $run i32) (local $entry i32) (local $any i32)
    (local.set $at (i32.const 0x1d000))
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $chars) (i32.const 1))))
    (loop $line
      (local.set $entry (i32.add (i32.const 0x400) (i32.shl (global.get $keywords) (i32.const 3))))
      (local.set $start (i32.add (local.get $at) (i32.const 2)))
      (i32.store (local.get $entry) (local.get $start))
      (i32.store8 offset=6 (local.get $entry) (i32.load16_u (local.get $at)))
      (local.set $at (local.get $start))
      (loop $text
        (local.set $at (i32.add (local.get $at) (i32.const 2)))
        ;; A keyword may end in a tab: a digit follows the one that ends it.
        (br_if $text (i32.ne (i32.load16_u (local.get $at)) (i32.const 9)))
        (br_if $text (i32.eq (i32.load16_u offset=2 (local.get $at)) (i32.const 9))))
      (i32.store16 offset=4 (local.get $entry)
        (i32.shr_u (i32.sub (local.get $at) (local.get $start)) (i32.const 1)))
      (local.set $run (i32.const 0))
      (loop $number
        (local.set $at (i32.add (local.get $at) (i32.const 2)))
        (local.set $code (i32.sub (i32.load16_u (local.get $at)) (i32.const 48)))
        (if (i32.lt_u (local.get $code) (i32.const 10))
          (then
            (local.set $run (i32.add (i32.mul (local.get $run) (i32.const 10)) (local.get $code)))
            (br $number))))
      (i32.store8 offset=7 (local.get $entry) (local.get $run))
      (if (i32.gt_u (i32.load16_u offset=4 (local.get $entry)) (i32.const 2))
        (then
          (call $add (call $head (i32.load16_u (local.get $start)) (i32.load16_u offset=2 (local.get $start)) (i32.load16_u offset=4 (local.get $start)))))
        (else
          ;; A shorter one stands in all lists of what may follow it.
          (local.set $any (i32.const 0))
          (loop $each
            (call $add (call $head (i32.load16_u (local.get $start)) (i32.load16_u offset=2 (local.get $start)) (local.get $any)))
            (local.set $any (i32.add (local.get $any) (i32.const 1)))
            (br_if $each (i32.lt_u (local.get $any) (i32.const 32))))))
      (global.set $keywords (i32.add (global.get $keywords) (i32.const 1)))
      (loop $rest
        (local.set $code (i32.load16_u (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 2)))
        (br_if $rest
          (i32.and (i32.lt_u (local.get $at) (local.get $end)) (i32.ne (local.get $code) (i32.const 10)))))
      (br_if $line (i32.lt_u (local.get $at) (local.get $end)))))

  ;; Looks for keywords that begin from `next` to `to`; the stretch has `chars`. How many were found: at 4,000 it stops for now.
  (func (export "scan") (param $from i32) (param $to i32) (param $all i32) (result i32)
    (local $at i32) (local $node i32) (local $count i32) (local $gram i32) (local $entry i32)
    (global.set $chars (local.get $all))
    (local.set $at (local.get $from))
    (local.set $gram (i32.shr_u (call $head (i32.const 0) (call $char (local.get $at)) (call $char (i32.add (local.get $at) (i32.const 1)))) (i32.const 1)))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $at) (local.get $to)))
        (br_if $done (i32.gt_u (local.get $count) (i32.const 4000)))
        ;; The same as $head, without a call: this is done for each character.
        (local.set $gram
          (i32.or
            (i32.shl (i32.and (local.get $gram) (i32.const 0x3ff)) (i32.const 5))
            (i32.and (i32.load16_u offset=0x35004 (i32.shl (local.get $at) (i32.const 1))) (i32.const 31))))
        (local.set $node (i32.load16_u offset=0x5000 (i32.shl (local.get $gram) (i32.const 1))))
        (loop $list
          (if (local.get $node)
            (then
              (local.set $entry (i32.load16_u offset=0x15000 (i32.shl (local.get $node) (i32.const 2))))
              (if (call $found (local.get $at) (i32.add (i32.const 0x400) (i32.shl (local.get $entry) (i32.const 3))))
                (then
                  (i32.store offset=0x2d000 (i32.shl (local.get $count) (i32.const 3)) (local.get $at))
                  (i32.store offset=0x2d004 (i32.shl (local.get $count) (i32.const 3)) (local.get $entry))
                  (local.set $count (i32.add (local.get $count) (i32.const 1)))))
              (local.set $node (i32.load16_u offset=0x15002 (i32.shl (local.get $node) (i32.const 2))))
              (br $list))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $each)))
    (global.set $next (local.get $at))
    (local.get $count))

  ;; Whether a keyword stands here, with what its rules need around it. Tokens are compared to the letter.
  (func $found (param $at i32) (param $entry i32) (result i32)
    (local $kind i32) (local $length i32) (local $i i32) (local $char i32) (local $end i32) (local $word i32) (local $run i32)
    (local.set $kind (i32.load8_u offset=6 (local.get $entry)))
    (local.set $run (i32.load8_u offset=7 (local.get $entry)))
    (local.set $length (i32.load16_u offset=4 (local.get $entry)))
    (local.set $word (i32.load (local.get $entry)))
    (loop $each
      (local.set $char (i32.load16_u offset=0x35000 (i32.shl (i32.add (local.get $at) (local.get $i)) (i32.const 1))))
      (if (i32.and (i32.ne (local.get $kind) (i32.const 116)) (i32.lt_u (i32.sub (local.get $char) (i32.const 65)) (i32.const 26))) ;; t
        (then (local.set $char (i32.or (local.get $char) (i32.const 32)))))
      (if (i32.ne (local.get $char) (i32.load16_u (i32.add (local.get $word) (i32.shl (local.get $i) (i32.const 1)))))
        (then (return (i32.const 0))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $each (i32.lt_u (local.get $i) (local.get $length))))
    (local.set $end (i32.add (local.get $at) (local.get $length)))
    ;; Behind the stretch is what is left of another one.
    (if (i32.gt_u (local.get $end) (global.get $chars)) (then (return (i32.const 0))))
    (if (i32.eq (local.get $kind) (i32.const 116)) ;; t
      (then (return (call $token (local.get $at) (local.get $run)))))
    (if (i32.eq (local.get $kind) (i32.const 119)) ;; w
      (then
        ;; An address has a user and a password, or nothing to hide.
        (if (i32.and (i32.eq (call $char (local.get $at)) (i32.const 58)) (i32.eq (call $char (i32.add (local.get $at) (i32.const 1))) (i32.const 47)))
          (then (return (call $user (local.get $end)))))
        (return (i32.const 1))))
    ;; p: it is but the beginning of another word: `path`, `author`.
    (if (i32.and (i32.eq (local.get $kind) (i32.const 112)) (i32.ge_u (call $char (i32.sub (local.get $end) (i32.const 1))) (i32.const 97)))
      (then
        (local.set $char (call $char (local.get $end)))
        (if (i32.and (i32.lt_u (i32.sub (local.get $char) (i32.const 97)) (i32.const 26)) (i32.ne (local.get $char) (i32.const 115)))
          (then (return (i32.const 0))))))
    (call $assigned (local.get $at) (local.get $end) (local.get $kind) (local.get $run)))

  ;; `//user:password@`, also percent-encoded. Nothing but the user is before the first colon.
  (func $user (param $at i32) (result i32)
    (local $last i32) (local $char i32) (local $isPassword i32)
    (local.set $last (i32.add (local.get $at) (i32.const 400)))
    (loop $each
      (local.set $char (call $char (local.get $at)))
      (if (local.get $isPassword)
        (then
          (if (i32.or (i32.eq (local.get $char) (i32.const 64))
              (i32.and (i32.eq (local.get $char) (i32.const 37)) (i32.eq (call $char (i32.add (local.get $at) (i32.const 1))) (i32.const 52))))
            (then (return (i32.const 1)))))
        (else
          (local.set $isPassword (i32.or (i32.eq (local.get $char) (i32.const 58)) (i32.eq (local.get $char) (i32.const 37))))
          ;; / ? # " ' < >
          (if (i32.or
              (i32.or (i32.eq (local.get $char) (i32.const 47)) (i32.eq (local.get $char) (i32.const 63)))
              (i32.or
                (i32.or (i32.eq (local.get $char) (i32.const 34)) (i32.eq (local.get $char) (i32.const 39)))
                (i32.or (i32.eq (local.get $char) (i32.const 35))
                  (i32.or (i32.eq (local.get $char) (i32.const 60)) (i32.eq (local.get $char) (i32.const 62))))))
            (then (return (i32.const 0))))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $each (i32.and (i32.gt_u (local.get $char) (i32.const 32)) (i32.lt_u (local.get $at) (local.get $last)))))
    (i32.const 0))

  ;; A word begins here, which is as long as the shortest token of its kind. An escape ends in a letter or a digit: `\n`, `%22`.
  (func $token (param $at i32) (param $run i32) (result i32)
    (local $char i32) (local $i i32)
    (if (call $is (i32.sub (local.get $at) (i32.const 1)) (i32.const 1))
      (then
        (loop $before
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (if (i32.gt_u (local.get $i) (i32.const 6)) (then (return (i32.const 0))))
          (local.set $char (call $char (i32.sub (local.get $at) (local.get $i))))
          (br_if $before
            (i32.and (i32.ne (local.get $char) (i32.const 92))
              (i32.and (i32.ne (local.get $char) (i32.const 37)) (i32.ne (local.get $char) (i32.const 91))))))))
    (local.set $i (i32.const 0))
    (loop $each
      (local.set $char (call $char (i32.add (local.get $at) (local.get $i))))
      ;; A colour within: what follows it is not counted.
      (if (i32.eq (local.get $char) (i32.const 27)) (then (return (i32.const 1))))
      (if (i32.or (i32.le_u (local.get $char) (i32.const 32))
          (i32.or (i32.eq (local.get $char) (i32.const 34)) (i32.or (i32.eq (local.get $char) (i32.const 39)) (i32.eq (local.get $char) (i32.const 96)))))
        (then (return (i32.const 0))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $each (i32.lt_u (local.get $i) (local.get $run))))
    (i32.const 1))

  ;; What may assign a value stands behind the name, and behind that a run as long as one. `-` and `.` belong to names; behind a name and
  ;; a space another word may be its type, and only `=` is behind that.
  (func $assigned (param $at i32) (param $end i32) (param $kind i32) (param $run i32) (result i32)
    (local $next i32) (local $last i32) (local $char i32) (local $flags i32) (local $isSpaced i32) (local $isTyped i32) (local $isVendor i32)
    (local.set $isVendor (i32.eq (local.get $kind) (i32.const 118)))
    (local.set $next (local.get $end))
    (local.set $last (i32.add (local.get $end) (i32.const 64)))
    (block $found
      (block $no
        (loop $each
          (br_if $no (i32.ge_u (local.get $next) (local.get $last)))
          (br_if $no (i32.ge_u (local.get $next) (global.get $chars)))
          (local.set $char (call $char (local.get $next)))
          (local.set $flags (call $flags (local.get $char)))
          (if (local.get $isSpaced)
            (then
              (if (local.get $isTyped)
                (then (br_if $found (i32.eq (local.get $char) (i32.const 61))))
                (else
                  (br_if $found (i32.eq (local.get $char) (i32.const 34)))
                  (br_if $found (i32.eq (local.get $char) (i32.const 39)))))
              (br_if $found (i32.and (i32.eq (local.get $char) (i32.const 46)) (i32.eq (call $char (i32.add (local.get $next) (i32.const 1))) (i32.const 61))))))
          (br_if $found (i32.and (i32.eq (local.get $char) (i32.const 60)) (i32.eq (call $char (i32.add (local.get $next) (i32.const 1))) (i32.const 47))))
          (block $on
            (if (i32.and (i32.eqz (local.get $isTyped)) (i32.ne (i32.and (local.get $flags) (i32.const 8)) (i32.const 0)))
              (then
                (if (call $pads (local.get $next)) (then (return (i32.const 0))))
                (br_if $found (i32.or (local.get $isSpaced) (i32.ne (local.get $char) (i32.const 45))))
                (br $on)))
            (br_if $on (i32.and (local.get $isTyped) (i32.le_u (local.get $char) (i32.const 32))))
            (if (i32.and (local.get $flags) (i32.const 4))
              (then
                (local.set $isSpaced (i32.or (local.get $isSpaced) (i32.le_u (local.get $char) (i32.const 32))))
                (br $on)))
            (if (local.get $isSpaced)
              (then
                ;; value, content
                (br_if $found (i32.or (i32.eq (local.get $char) (i32.const 118)) (i32.eq (local.get $char) (i32.const 99))))
                (if (i32.eqz (local.get $isVendor))
                  (then
                    (br_if $no (i32.eqz (i32.and (local.get $flags) (i32.const 2))))
                    (br_if $no (i32.ge_u (local.get $next) (i32.add (local.get $end) (i32.const 24))))
                    (local.set $isTyped (i32.const 1))
                    (br $on)))))
            (br_if $no (i32.eqz (i32.and (local.get $flags) (i32.const 128)))))
          (local.set $next (i32.add (local.get $next) (i32.const 1)))
          (br $each)))
      (if (i32.eqz (i32.and (local.get $isSpaced) (call $isSecond (local.get $at)))) (then (return (i32.const 0))))
      (local.set $next (local.get $end)))
    (if (i32.eqz (local.get $run)) (then (return (i32.const 1))))
    (if (local.get $isVendor) (then (return (call $hasRun (local.get $next) (local.get $run) (i32.const 2) (i32.const 0)))))
    (if (i32.eq (local.get $kind) (i32.const 112)) ;; p
      (then (return (call $hasRun (local.get $next) (local.get $run) (i32.const 16) (i32.const 32)))))
    (call $hasRun (local.get $next) (local.get $run) (i32.const 64) (i32.const 0)))

  ;; Whether base64 goes on or ends here: `+` without `=` or an escape behind it, `==` at a line's end, `="` with nothing quoted.
  (func $pads (param $at i32) (result i32)
    (local $char i32) (local $next i32)
    (local.set $char (call $char (local.get $at)))
    (local.set $next (call $char (i32.add (local.get $at) (i32.const 1))))
    (if (i32.eq (local.get $char) (i32.const 43)) ;; +
      (then (return (i32.and (i32.ne (local.get $next) (i32.const 61)) (i32.ne (local.get $next) (i32.const 37))))))
    (if (i32.ne (local.get $char) (i32.const 61)) (then (return (i32.const 0))))
    (if (i32.eq (local.get $next) (i32.const 61))
      (then
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $next (call $char (i32.add (local.get $at) (i32.const 1))))
        (if (i32.or (i32.eq (local.get $next) (i32.const 10)) (i32.eq (local.get $next) (i32.const 13))) (then (return (i32.const 1))))))
    (if (i32.ne (local.get $next) (i32.const 34)) (then (return (i32.const 0))))
    (local.set $next (call $char (i32.add (local.get $at) (i32.const 2))))
    ;; A line's end, , } ]
    (i32.or
      (i32.or (i32.eq (local.get $next) (i32.const 10)) (i32.eq (local.get $next) (i32.const 13)))
      (i32.or (i32.eq (local.get $next) (i32.const 44))
        (i32.or (i32.eq (local.get $next) (i32.const 125)) (i32.eq (local.get $next) (i32.const 93))))))

  ;; `--token x`, `ENV TOKEN x`, `setx TOKEN x`, `set -x TOKEN x`
  (func $isSecond (param $at i32) (result i32)
    (local $from i32) (local $three i32)
    (local.set $from (local.get $at))
    (loop $name
      (if (call $is (i32.sub (local.get $from) (i32.const 1)) (i32.const 2))
        (then
          (local.set $from (i32.sub (local.get $from) (i32.const 1)))
          (br_if $name (i32.lt_u (i32.sub (local.get $at) (local.get $from)) (i32.const 64))))))
    (if (i32.eq (call $char (local.get $from)) (i32.const 45)) (then (return (i32.const 1))))
    (local.set $three
      (i32.or
        (i32.shl (call $lower (call $char (i32.sub (local.get $from) (i32.const 4)))) (i32.const 16))
        (i32.or
          (i32.shl (call $lower (call $char (i32.sub (local.get $from) (i32.const 3)))) (i32.const 8))
          (call $lower (call $char (i32.sub (local.get $from) (i32.const 2)))))))
    (i32.or
      (i32.or (i32.eq (local.get $three) (i32.const 0x656e76)) (i32.eq (local.get $three) (i32.const 0x736574)))
      (i32.or (i32.eq (local.get $three) (i32.const 0x657478))
        (i32.or (i32.eq (call $char (i32.sub (local.get $from) (i32.const 3))) (i32.const 45))
          (i32.or (i32.eq (call $char (i32.sub (local.get $from) (i32.const 4))) (i32.const 45))
            (i32.eq (call $char (i32.sub (local.get $from) (i32.const 5))) (i32.const 45)))))))

  ;; Whether so many characters of a kind stand in a row here, with one of another kind among them. They end with the line, unless
  ;; nothing but signs is on it, or the value is one of a list or an element of XML.
  (func $hasRun (param $at i32) (param $run i32) (param $flag i32) (param $with i32) (result i32)
    (local $last i32) (local $char i32) (local $flags i32) (local $count i32) (local $all i32) (local $isLine i32)
    (local.set $last (i32.add (local.get $at) (i32.const 200)))
    (local.set $char (call $char (local.get $at)))
    ;; , <
    (local.set $isLine (i32.and (i32.ne (local.get $char) (i32.const 44)) (i32.ne (local.get $char) (i32.const 60))))
    (loop $each
      (local.set $char (call $char (local.get $at)))
      (local.set $flags (call $flags (local.get $char)))
      (if (i32.and (local.get $flags) (local.get $flag))
        (then
          (local.set $count (i32.add (local.get $count) (i32.const 1)))
          (local.set $all (i32.or (local.get $all) (local.get $flags)))
          (if (i32.ge_u (local.get $count) (local.get $run))
            (then (if (i32.eq (i32.and (local.get $all) (local.get $with)) (local.get $with)) (then (return (i32.const 1)))))))
        (else
          (if (i32.and (i32.eq (local.get $char) (i32.const 10)) (i32.eq (local.get $isLine) (i32.const 3))) (then (return (i32.const 0))))
          (local.set $count (i32.const 0))
          (local.set $all (i32.const 0))))
      (if (i32.and (i32.gt_u (local.get $char) (i32.const 32)) (i32.eqz (i32.and (local.get $flags) (i32.const 12))))
        (then (local.set $isLine (i32.or (local.get $isLine) (i32.const 2)))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $each (i32.lt_u (local.get $at) (local.get $last))))
    (i32.const 0)))
